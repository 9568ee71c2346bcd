/* Where each city is in its tour. */

/* Notes the places of `count` cities, those of several tours of `genes` each. Launched over all of them. */
kernel void place_cities(global const uint* population, global uint* places, uint count, uint genes) {
  const uint number = (uint)get_global_id(0);
  if (number < count) places[number - number % genes + population[number]] = number % genes;
}
