/* Matrices of bits. `word` is uint or ulong. */

/* Transposes square matrices that follow each other, each of as many words as a word has bits: bit i of word j of a
 * result is bit j of word i. `words` counts those of all matrices. */
kernel void transpose_bits(global const word* rows, global word* columns, ulong words) {
  const ulong index = get_global_id(0);
  if (index >= words) return;
  const uint bits = 8 * (uint)sizeof(word);
  const uint column = (uint)(index % bits);
  global const word* matrix = rows + (index - column);
  word result = 0;
  for (uint row = 0; row < bits; ++row) result |= (word)((word)(matrix[row] >> column & 1) << row);
  columns[index] = result;
}
