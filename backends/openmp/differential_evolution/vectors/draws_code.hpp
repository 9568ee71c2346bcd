// draw_three() by a processor's vectors of words. Included once for each instruction set, within a namespace, with
// DRAWS_TARGET defined as the attribute of its functions; so it has no guard. Words says what it needs of the vectors,
// beside whole_lanes(), products(), high_products() and past().

template <class Words>
DRAWS_TARGET void draw_three_of(const std::uint32_t* words, std::size_t count, std::uint32_t population,
                                std::uint32_t dimensions, std::uint32_t* drawn) {
  const auto without_one = whole_lanes(population - 1);
  const auto without_two = whole_lanes(population - 2);
  const auto without_three = whole_lanes(population - 3);
  const auto parameters = whole_lanes(dimensions);
  auto own = Words::numbers();
  for (std::size_t i = 0; i < count; i += Words::lanes) {
    const auto one = products(Words::load(words + i), without_one);
    const auto three = products(Words::load(words + count + i), without_three);
    const auto r1 = past(one.high, own);
    const auto lower = Words::least(own, r1);
    const auto upper = Words::greatest(own, r1);
    const auto r2 = past(past(high_products(one.low, without_two), lower), upper);
    const auto first = Words::least(lower, r2);
    const auto second = Words::greatest(lower, Words::least(upper, r2));
    const auto third = Words::greatest(upper, r2);
    Words::store(drawn + i, r1);
    Words::store(drawn + count + i, r2);
    Words::store(drawn + 2 * count + i, past(past(past(three.high, first), second), third));
    Words::store(drawn + 3 * count + i, high_products(three.low, parameters));
    own = Words::sum(own, whole_lanes(Words::lanes));
  }
}
