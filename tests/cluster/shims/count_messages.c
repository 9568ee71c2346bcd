/* Counts a job's messages by kind, their first byte, through MPI's profiling interface: to be loaded before the module of
 * MPI (LD_PRELOAD). When MPI ends, rank 0 writes the sums over all ranks to the file CLOPT_TEST_MESSAGES, a line for
 * each kind: number of the kind, messages, bytes. The last line has the collective calls of each rank and their bytes.
 * With CLOPT_TEST_LATE_BYE each rank's last message comes late by that number of seconds. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { bye = 14, kinds = 17, collective = kinds, lines };
static long long counts[2 * lines];

static void count(int line, long long bytes) {
  counts[2 * line] += 1;
  counts[2 * line + 1] += bytes;
}

int MPI_Isend(const void* data, int size, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request* request) {
  const char* late = getenv("CLOPT_TEST_LATE_BYE");
  if (late && *(const unsigned char*)data == bye) sleep((unsigned)atoi(late));
  count(*(const unsigned char*)data % kinds, size);
  return PMPI_Isend(data, size, type, to, tag, comm, request);
}

int MPI_Bcast(void* data, int size, MPI_Datatype type, int root, MPI_Comm comm) {
  count(collective, size);
  return PMPI_Bcast(data, size, type, root, comm);
}

int MPI_Allgatherv(const void* data, int size, MPI_Datatype type, void* all, const int sizes[], const int places[],
                   MPI_Datatype to, MPI_Comm comm) {
  count(collective, size);
  return PMPI_Allgatherv(data, size, type, all, sizes, places, to, comm);
}

int MPI_Gatherv(const void* data, int size, MPI_Datatype type, void* all, const int sizes[], const int places[],
                MPI_Datatype to, int root, MPI_Comm comm) {
  count(collective, size);
  return PMPI_Gatherv(data, size, type, all, sizes, places, to, root, comm);
}

int MPI_Finalize(void) {
  long long sums[2 * lines];
  const char* name = getenv("CLOPT_TEST_MESSAGES");
  int rank = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  PMPI_Reduce(counts, sums, 2 * lines, MPI_LONG_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0 && name) {
    FILE* file = fopen(name, "w");
    for (int line = 0; file && line < lines; ++line)
      fprintf(file, "%d %lld %lld\n", line, sums[2 * line], sums[2 * line + 1]);
    if (file) fclose(file);
  }
  return PMPI_Finalize();
}
