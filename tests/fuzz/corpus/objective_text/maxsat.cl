// clopt: bits, maximise
// The number of clauses that hold. The table: how many clauses; then, for each, how many literals and the literals, a
// variable's number from 1 on, negative where it is negated.
real objective(individual x) {
  const uint clauses = (uint)table_value(x, 0);
  uint at = 1;
  uint sum = 0;
  for (uint clause = 0; clause < clauses; ++clause) {
    const uint end = at + 1 + (uint)table_value(x, at);
    uint holds = 0;
    for (++at; at < end; ++at) {
      const int literal = (int)table_value(x, at);
      const uint variable = (uint)(literal > 0 ? literal : -literal) - 1;
      holds |= gene(x, variable) ^ (literal < 0 ? 1u : 0u);
    }
    sum += holds;
  }
  return (real)sum;
}
