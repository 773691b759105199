#include "analysis/shards.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

namespace reckon::analysis {

using program::kNone;

namespace {

constexpr std::size_t kBands = 4;
constexpr std::size_t kShardsPerBand = 4;  // below this number a further band would only make shards wait

// A component of the order of work, or the body of one described function: what is looked at at once.
struct Item {
  std::vector<FuncId> functions;
  std::uint64_t weight = 0;
  std::size_t band = 0;
};

class Cutter {
 public:
  Cutter(const Context& ctx, const Order& order, const std::function<bool(FuncId)>& filter, std::size_t count)
      : ctx_(ctx), order_(order), filter_(filter), count_(std::max<std::size_t>(count, 1)) {
    item_of_.assign(ctx.program.num_functions(), kNone);
  }

  Shards run() {
    collect_levels();
    collect_described();
    set_bands();
    Shards out;
    out.of.assign(ctx_.program.num_functions(), kNone);
    deal_out(out);
    out.needs.resize(count_);
    for (const Item& item : items_)
      for (const FuncId f : item.functions) {
        const std::uint32_t shard = out.of[f];
        each_before(f, [&](FuncId g) {
          if (const std::uint32_t other = out.of[g]; other != shard) out.needs[shard].push_back(other);
        });
      }
    for (auto& needs : out.needs) {
      std::sort(needs.begin(), needs.end());
      needs.erase(std::unique(needs.begin(), needs.end()), needs.end());
    }
    for (const Item& item : items_) out.largest_circle = std::max(out.largest_circle, item.functions.size());
    return out;
  }

 private:
  // Those that are looked at before `f`, because it calls or names them.
  template <typename Each>
  void each_before(FuncId f, const Each& each) const {
    const std::uint32_t own = item_of_[f];
    auto visit = [&](FuncId g) {
      const std::uint32_t other = item_of_[g];
      if (other < own && other < first_described_) each(g);
    };
    for (const FuncId g : order_.callees[f].empty() ? ctx_.program.callees(f) : std::span(order_.callees[f])) visit(g);
    for (const FuncId g : order_.named[f]) visit(g);
  }

  void add(Item item) {
    for (const FuncId f : item.functions) {
      item_of_[f] = static_cast<std::uint32_t>(items_.size());
      item.weight += ctx_.program.head(f).instructions;
    }
    items_.push_back(std::move(item));
  }

  void collect_levels() {
    for (const auto& level : order_.levels) {
      level_ends_.push_back(items_.size());
      for (const std::uint32_t c : level) {
        Item item;
        for (const FuncId f : order_.components[c])
          if (filter_(f)) item.functions.push_back(f);
        if (!item.functions.empty()) add(std::move(item));
      }
      level_ends_.back() = items_.size();
    }
  }

  void collect_described() {
    first_described_ = items_.size();
    for (FuncId f{}; f < item_of_.size(); ++f)
      if (!filter_(f) && described(ctx_, f)) add({{f}});
  }

  // Whole levels, until a band has its share of the weight.
  void set_bands() {
    const bool last = first_described_ < items_.size();
    std::uint64_t total = 0, sum = 0;
    for (std::size_t i = 0; i < first_described_; ++i) total += items_[i].weight;
    std::size_t bands = count_ == 1 ? 1 : std::clamp<std::size_t>(count_ / kShardsPerBand, 2, kBands);
    if (last && count_ > 1) bands = std::min(bands, count_ - 1);
    std::size_t band = 0, begin = 0;
    for (const std::size_t end : level_ends_) {
      for (std::size_t i = begin; i < end; ++i) items_[i].band = band, sum += items_[i].weight;
      if (band + 1 < bands && sum * bands >= total * (band + 1)) ++band;
      begin = end;
    }
    for (std::size_t i = first_described_; i < items_.size(); ++i) items_[i].band = count_ > 1 ? band + 1 : 0;
  }

  // How many shards each band gets, by weight, at least one.
  std::vector<std::size_t> shares() const {
    std::vector<std::uint64_t> weight;
    for (const Item& item : items_) {
      if (weight.size() <= item.band) weight.resize(item.band + 1);
      weight[item.band] += item.weight + 1;
    }
    const std::uint64_t total =
        std::max<std::uint64_t>(1, std::accumulate(weight.begin(), weight.end(), std::uint64_t{0}));
    std::vector<std::size_t> out;
    for (const std::uint64_t w : weight) out.push_back(std::max<std::size_t>(1, w * count_ / total));
    while (std::accumulate(out.begin(), out.end(), std::size_t{0}) > count_)
      --*std::max_element(out.begin(), out.end());
    return out;
  }

  void deal_out(Shards& out) {
    const std::vector<std::size_t> share = shares();
    std::size_t first_shard = 0;
    for (std::size_t band = 0; band < share.size(); ++band) {
      std::vector<Item> groups = groups_of(band);
      std::uint64_t total = 0, sum = 0;
      for (const Item& group : groups) total += group.weight + 1;
      for (const Item& group : groups) {
        out.largest_group = std::max(out.largest_group, group.functions.size());
        const std::size_t at = std::min<std::size_t>(share[band] - 1, (sum + group.weight / 2) * share[band] / total);
        for (const FuncId f : group.functions) out.of[f] = static_cast<std::uint32_t>(first_shard + at);
        sum += group.weight + 1;
      }
      first_shard += share[band];
    }
  }

  // The functions of a band by who waits for whom, in the order of their units.
  std::vector<Item> groups_of(std::size_t band) const {
    std::vector<std::uint32_t> parent(items_.size());
    std::iota(parent.begin(), parent.end(), 0u);
    auto root = [&](std::uint32_t i) {
      while (parent[i] != i) i = parent[i] = parent[parent[i]];
      return i;
    };
    for (std::uint32_t i = 0; i < items_.size(); ++i)
      for (const FuncId f : items_[i].functions)
        if (items_[i].band == band)
          each_before(f, [&](FuncId g) {
            if (items_[item_of_[g]].band == band) parent[root(i)] = root(item_of_[g]);
          });
    std::map<std::uint32_t, Item> by_root;
    for (std::uint32_t i = 0; i < items_.size(); ++i) {
      if (items_[i].band != band) continue;
      Item& group = by_root[root(i)];
      group.functions.insert(group.functions.end(), items_[i].functions.begin(), items_[i].functions.end());
      group.weight += items_[i].weight;
    }
    std::vector<Item> out;
    for (auto& [_, group] : by_root) {
      std::sort(group.functions.begin(), group.functions.end());
      out.push_back(std::move(group));
    }
    std::sort(out.begin(), out.end(), [](const Item& a, const Item& b) { return a.functions[0] < b.functions[0]; });
    return out;
  }

  const Context& ctx_;
  const Order& order_;
  const std::function<bool(FuncId)>& filter_;
  const std::size_t count_;
  std::vector<Item> items_;  // callees first
  std::vector<std::size_t> level_ends_;
  std::size_t first_described_ = 0;
  std::vector<std::uint32_t> item_of_;  // by function
};

bool any_name(std::string&) { return true; }  // the same units in the same order: names of globals stay

}  // namespace

bool described(const Context& ctx, FuncId f) {
  const program::FunctionHead& fn = ctx.program.head(f);
  return fn.has_body && !fn.from_header && ctx.unit_concerned[ctx.program.unit_id(f)] && ctx.known_by_spec(f);
}

Shards cut(const Context& ctx, const Order& order, const std::function<bool(FuncId)>& filter, std::size_t count) {
  return Cutter(ctx, order, filter, count).run();
}

bool ShardRecords::add(std::string bytes) {
  auto text = std::make_unique<const std::string>(std::move(bytes));
  support::ByteReader in(*text);
  std::vector<std::pair<std::uint32_t, std::string_view>> found;
  while (in.ok() && in.left() > 0) {
    const auto f = static_cast<std::uint32_t>(in.number());
    found.emplace_back(f, in.text());
  }
  if (!in.ok()) return false;
  records_.insert(found.begin(), found.end());
  texts_.push_back(std::move(text));
  return true;
}

bool ShardRecords::find(const std::vector<FuncId>& members, std::vector<FunctionRecord>& records) const {
  std::vector<FunctionRecord> found(members.size());
  for (std::size_t m = 0; m < members.size(); ++m) {
    const auto it = records_.find(members[m]);
    if (it == records_.end()) return false;
    support::Reader in(it->second);
    read_record(in, found[m], 0, any_name);
    if (!in.ok() || !in.at_end()) return false;
  }
  records = std::move(found);
  return true;
}

void ShardRecords::write(std::string& out, FuncId f, FunctionRecord& record) {
  support::Writer bytes;
  write_record(bytes, record, 0, any_name);
  support::put_number(out, f);
  support::put_text(out, bytes.bytes());
}

}  // namespace reckon::analysis
