// Techmap for Yosys: operands as wide as linters of Verilog expect them. Amaranth leaves out leading zeros.

(* techmap_celltype = "$add $sub" *)
module sum(A, B, Y);
    parameter A_SIGNED = 0, B_SIGNED = 0, A_WIDTH = 1, B_WIDTH = 1, Y_WIDTH = 1, _TECHMAP_CELLTYPE_ = "";
    input [A_WIDTH-1:0] A;
    input [B_WIDTH-1:0] B;
    output [Y_WIDTH-1:0] Y;
    wire _TECHMAP_FAIL_ = A_SIGNED || B_SIGNED || (A_WIDTH == Y_WIDTH && B_WIDTH == Y_WIDTH);
    wire [Y_WIDTH-1:0] a = A, b = B;
    generate
        if (_TECHMAP_CELLTYPE_ == "$add") assign Y = a + b;
        else assign Y = a - b;
    endgenerate
endmodule

(* techmap_celltype = "$eq $lt $ge" *)
module comparison(A, B, Y);
    parameter A_SIGNED = 0, B_SIGNED = 0, A_WIDTH = 1, B_WIDTH = 1, Y_WIDTH = 1, _TECHMAP_CELLTYPE_ = "";
    input [A_WIDTH-1:0] A;
    input [B_WIDTH-1:0] B;
    output [Y_WIDTH-1:0] Y;
    localparam WIDTH = A_WIDTH > B_WIDTH ? A_WIDTH : B_WIDTH;
    wire _TECHMAP_FAIL_ = A_SIGNED || B_SIGNED || A_WIDTH == B_WIDTH;
    wire [WIDTH-1:0] a = A, b = B;
    generate
        if (_TECHMAP_CELLTYPE_ == "$eq") assign Y = a == b;
        else if (_TECHMAP_CELLTYPE_ == "$lt") assign Y = a < b;
        else assign Y = a >= b;
    endgenerate
endmodule

(* techmap_celltype = "$logic_not" *)
module zero(A, Y);
    parameter A_SIGNED = 0, A_WIDTH = 1, Y_WIDTH = 1;
    input [A_WIDTH-1:0] A;
    output [Y_WIDTH-1:0] Y;
    wire _TECHMAP_FAIL_ = A_WIDTH == 1;
    assign Y = ~|A;
endmodule
