// Loads cities.hex, runs the machine and compares the ring at every loop boundary with tours.hex, and the number of
// cycles with CYCLES; prints PASS or FAIL.
`timescale 1ns / 1ps

module bench;
    localparam N = @N@, BITS = @BITS@, LOOPS = @LOOPS@, CYCLES = @CYCLES@;
    reg clk = 0, rst = 0, start = 0, load = 0, unload = 0;
    reg [2*BITS-1:0] city_in = 0;
    wire [2*BITS-1:0] city_out;
    wire [31:0] loops;
    wire busy, boundary;
    reg [2*BITS-1:0] cities[0:N-1];
    reg [31:0] tours[0:LOOPS-1];
    wire [2*BITS*N-1:0] ring = {@RING@};
    integer i, cycles = 0, seen = 0, wrong = 0;

    symmetric_two_opt machine(.clk(clk), .rst(rst), .start(start), .load(load), .unload(unload), .city_in(city_in),
        .city_out(city_out), .loops(loops), .busy(busy), .boundary(boundary));

    function [31:0] signature(input [2*BITS*N-1:0] tour);
        integer k;
        begin
            signature = 0;
            for (k = 0; k < N; k = k + 1)
                signature = {signature[30:0], signature[31]} ^ {{32{1'b0}} | tour[2*BITS*k +: 2*BITS]};
        end
    endfunction

    always #5 clk = ~clk;

    initial begin
        $readmemh("cities.hex", cities);
        $readmemh("tours.hex", tours);
        rst = 1;
        @(negedge clk) rst = 0;
        load = 1;
        for (i = N - 1; i >= 0; i = i - 1) begin
            city_in = cities[i];
            @(negedge clk);
        end
        load = 0;
        start = 1;
        @(negedge clk) start = 0;
        while (busy || seen < loops) begin
            if (boundary) begin
                if (seen >= LOOPS || signature(ring) != tours[seen]) wrong = wrong + 1;
                seen = seen + 1;
            end
            if (busy) cycles = cycles + 1;
            @(negedge clk);
        end
        if (wrong == 0 && seen == LOOPS && loops == LOOPS && cycles == CYCLES)
            $display("PASS: %0d loops, %0d cycles", loops, cycles);
        else
            $display("FAIL: %0d of %0d loops differ, %0d cycles", wrong, seen, cycles);
        $finish;
    end
endmodule
