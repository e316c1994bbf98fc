import java.util.Arrays;

import Data.Instance;
import SearchMethod.AILSII;
import SearchMethod.InputParameters;

/** Runs AILS-II, whose own main class writes no solution: Ails SOLUTION ARGUMENTS. */
public class Ails {
    public static void main(String[] words) {
        InputParameters parameters = new InputParameters();
        parameters.readingInput(Arrays.copyOfRange(words, 1, words.length));
        AILSII search = new AILSII(new Instance(parameters), parameters);
        search.search();
        search.getBestSolution().printSolution(words[0]);
    }
}
