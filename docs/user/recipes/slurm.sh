#!/bin/bash
# A search on four nodes that continues where it stopped: sbatch slurm.sh world.tsp
#SBATCH --job-name=warptour
#SBATCH --nodes=4
#SBATCH --ntasks-per-node=1
#SBATCH --cpus-per-task=64
#SBATCH --time=02:00:00
#SBATCH --signal=TERM@60
#SBATCH --requeue
set -euo pipefail

problem=${1:?usage: sbatch slurm.sh FILE}
name=$(basename "${problem%.*}")
# One rank a node has all its cores. SIGTERM, a minute before the limit, ends the search with its best tour written;
# after that or a crash the same command goes on from the checkpoint.
srun --cpu-bind=cores warptour solve "$problem" --cluster mpi --seconds 7000 \
    --checkpoint "$name.npz" --resume "$name.npz" --trace "$name.jsonl" --output "$name.tour"
