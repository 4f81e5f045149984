// Reads labelled pages as a check would, and prints precision and recall of each section: `npm run
// observation-quality [-- --set NAME] [--kind N] [--unrendered] [--show] [--json]`. The default is the sets
// for work on rules. `--show` names each mistake, except those of a frozen set: an author who sees them would
// tune the rules on them. `--kind` scores only the pages of one kind of miss. `--unrendered` sees a scripted
// set without Chromium.
import { parseArgs } from 'node:util'
import { missedGoals } from './observation-quality/goals.ts'
import {
  changedFiles,
  type FrozenSet,
  frozenSets,
  isScripted,
  labelledSites,
  type PageSet,
  pageSets,
  tuningSets,
} from './observation-quality/labelled-sites.ts'
import { lookAtSites } from './observation-quality/look-at-sites.ts'
import {
  type Mistake,
  precisionOf,
  recallOf,
  type Score,
  scoredSections,
  scoreSites,
} from './observation-quality/score.ts'

/** Labels of these sites were seen by an author of rules. */
const seenSites: Partial<Record<PageSet, string[]>> = { blind: ['morozko'] }

const { values } = parseArgs({
  options: {
    set: { type: 'string' },
    kind: { type: 'string' },
    unrendered: { type: 'boolean', default: false },
    show: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
})
const sets = values.set === undefined ? tuningSets : pageSets.filter(set => set === values.set)
if (sets.length === 0) fail(`--set must be one of ${pageSets.join(', ')}`)
const isFrozen = (set: PageSet): set is FrozenSet => frozenSets.some(each => each === set)
const [frozen] = sets.filter(isFrozen)
if (frozen !== undefined) {
  if (values.show) fail('--show is for the tuning sets: nobody tunes on the frozen pages')
  if (values.kind !== undefined) fail('--kind is for the tuning sets: frozen pages are scored together')
  const changed = changedFiles(frozen)
  if (changed.length > 0) fail(`frozen pages were changed: ${changed.join(', ')}`)
}

const scored: { set: PageSet; excluded: string[]; score: Score }[] = []
for (const set of sets) {
  const excluded = seenSites[set] ?? []
  const sites = labelledSites(set).filter(
    ({ name, kind }) =>
      !excluded.includes(name) && (values.kind === undefined || kind === Number(values.kind)),
  )
  if (sites.length === 0) continue
  const seen = isScripted(set) ? await lookAtSites(set, sites, !values.unrendered) : sites
  scored.push({ set, excluded, score: await scoreSites(seen) })
}
if (scored.length === 0)
  fail(
    values.kind === undefined
      ? 'the set has no sites'
      : '--kind must be a kind of miss that these pages have',
  )
if (values.json) {
  const summaries = scored.map(({ set, excluded, score }) => ({
    set,
    excluded,
    ...summaryOf(score),
    missed_goals: missedGoals(set, score),
  }))
  console.log(JSON.stringify(summaries, null, 2))
} else for (const each of scored) print(each)
if (scored.some(({ set, score }) => missedGoals(set, score).length > 0)) process.exitCode = 1

function summaryOf({ mistakes: _, ...figures }: Score) {
  return figures
}

function print({ set, excluded, score }: (typeof scored)[number]): void {
  const { sites, pages, sections, tempted, falsePreLaunch, falseLive, mistakes } = score
  const left = excluded.length > 0 ? `; left out, because an author has seen it: ${excluded.join(', ')}` : ''
  console.log(`${set}: ${sites} sites, ${pages} responses${left}\n`)
  console.log('section             precision  recall  right  wrong  missed')
  for (const section of scoredSections) {
    const counts = sections[section]
    if (counts.right + counts.wrong + counts.missed === 0) continue
    const figures = [precisionOf(counts), recallOf(counts)].map(ratio => ratio.toFixed(3))
    const numbers = [counts.right, counts.wrong, counts.missed].map(String)
    console.log(
      [
        section.padEnd(20),
        figures[0]?.padStart(9),
        figures[1]?.padStart(8),
        ...numbers.map(each => each.padStart(7)),
      ].join(''),
    )
  }
  console.log(`\ntempting values taken: ${tempted}`)
  const namesIn = (names: readonly string[]) => namesOf(names, set)
  console.log(`false pre_launch: ${namesIn(falsePreLaunch)}, false live: ${namesIn(falseLive)}\n`)
  for (const goal of missedGoals(set, score)) console.log(`MISSED ${goal}`)
  if (values.show) for (const mistake of mistakes.toSorted(bySection)) console.log(lineOf(mistake))
}

/** Returns the sites with mistakes, but for a frozen set only their number. */
function namesOf(sites: readonly string[], set: PageSet): string {
  return sites.length === 0 || isFrozen(set) ? `${sites.length}` : `${sites.length} (${sites.join(' ')})`
}

function bySection(one: Mistake, other: Mistake): number {
  return one.section < other.section ? -1 : 1
}

function lineOf({ site, section, kind, value, rule, snippet }: Mistake): string {
  return `${section}  ${kind}  ${site}  ${value}${rule === null ? '' : `  by ${rule}: ${snippet ?? ''}`}`
}

function fail(message: string): never {
  console.error(message)
  process.exit(2)
}
