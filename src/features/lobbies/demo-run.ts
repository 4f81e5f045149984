/** The run of the demo world, whose titles are fictional. */
import { slugOf } from '@baize/names'
import type { StoredRun, StoredSection } from './lobby-store.ts'

type DemoSection = Pick<StoredSection, 'name' | 'kind'> & { titles: Record<string, string> }

const sections: DemoSection[] = [
  {
    name: 'Featured',
    kind: 'featured',
    titles: {
      'Otter Rapids': 'Velvet Anvil',
      'Kingfisher Kingdom': 'Brass Turnip',
      'River Riches Deluxe': 'Velvet Anvil',
      'Holt of Gold': 'Paper Walrus',
      'Amber Dragonfly': 'Nine Left Feet',
      'Reed Runner': 'Velvet Anvil',
      'Moonlit Weir': 'Brass Turnip',
    },
  },
  {
    name: 'New games',
    kind: 'new',
    titles: {
      'Stickleback Stacks': 'Paper Walrus',
      'Watermill Wilds': 'Quantum Gherkin',
      'Heron at Dawn': 'Nine Left Feet',
      'Otter Rapids': 'Velvet Anvil',
      'Mayfly Megastacks': 'Nine Left Feet',
      'Pebble Pop': 'Quantum Gherkin',
      'Ferryman’s Fortune': 'Paper Walrus',
      'Silver Salmon': 'Quantum Gherkin',
    },
  },
  {
    name: 'Live casino',
    kind: 'live',
    titles: {
      'Riverside Roulette': 'Velvet Anvil',
      'Otter Wheel': 'Velvet Anvil',
      'Blackjack Jetty': 'Velvet Anvil',
      'Baccarat Boathouse': 'Brass Turnip',
      'Speed Roulette Pier': 'Velvet Anvil',
      'Lantern Andar Bahar': 'Brass Turnip',
    },
  },
  {
    name: 'All slots',
    kind: 'category',
    titles: {
      'Kingfisher Kingdom': 'Brass Turnip',
      'Bulrush Bandits': 'Nine Left Feet',
      'Old Lock Keeper': 'Paper Walrus',
      'Trout Trail': 'Velvet Anvil',
      'Copper Canal': 'Quantum Gherkin',
      'Willow Witch': 'Brass Turnip',
      'Dipper’s Dive': 'Nine Left Feet',
      'Otter Rapids': 'Velvet Anvil',
      'Beaver Builder': 'Paper Walrus',
      'Millpond Millions': 'Brass Turnip',
    },
  },
]

const sectionsAboveFold = 1
const ended = new Date('2026-10-01T06:00:41.000Z')
const seen = new Set<string>()
const games = sections.flatMap(({ titles }, section) =>
  Object.entries(titles).map(([title, supplier], index) => {
    const isRepeat = seen.has(title)
    seen.add(title)
    const isAboveFold = section < sectionsAboveFold
    const supplierSlug = slugOf(supplier)
    return {
      section,
      position: index + 1,
      title,
      supplier,
      supplierSlug,
      match: 'shown' as const,
      isAboveFold,
      isRepeat,
    }
  }),
)

export const demoRun: StoredRun = {
  id: 0,
  ref: 'lr_00000000000000000001',
  visitId: 0,
  domain: 'luckyotter.example',
  url: null,
  device: 'desktop',
  state: 'completed',
  reason: null,
  suppliers: ['Velvet Anvil', 'Tin Heron Games'],
  requestedAt: new Date('2026-10-01T06:00:00.000Z'),
  finishedAt: ended,
  finalUrl: 'https://luckyotter.example/casino',
  creditsCharged: 0,
  isPaid: false,
  sections: sections.map(({ name, kind, titles }, index) => ({
    name,
    kind,
    gamesSeen: Object.keys(titles).length,
    isComplete: index < sections.length - 1,
  })),
  games,
  titlesSeen: seen.size,
}
