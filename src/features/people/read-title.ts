import { LRUCache } from 'lru-cache'
import { functionWords, generalManagement, type JobFunction } from './function-words.ts'
import { gradedOccupations } from './graded-occupations.ts'
import { chiefsOfFunction, lesserOffices } from './lesser-offices.ts'
import { blanked, deputiesOf, withoutAssistants, withoutFormer } from './remove-indirect-titles.ts'
import { type RoleKey, roleGlossary, roleKeys } from './role-glossary.ts'
import { type Seniority, seniorities, seniorityWords } from './seniority-words.ts'
import { anyOf } from './title-pattern.ts'
import { titleWords } from './title-words.ts'

export type TitleReading = {
  roleKeys: readonly RoleKey[]
  seniority: Seniority | null
  function: JobFunction | null
}

const cachedReadingsMax = 20_000
const readings = new LRUCache<string, TitleReading>({ max: cachedReadingsMax })

export function readTitle(title: string): TitleReading {
  const cached = readings.get(title)
  if (cached !== undefined) return cached
  const reading = readWords(titleWords(title))
  readings.set(title, reading)
  return reading
}

function readWords(words: string): TitleReading {
  const current = withoutFormer(words)
  const office = blanked(current, lesserOffices)
  const own = withoutAssistants(office)
  return {
    roleKeys: roleKeys.filter(key => matchers.roles[key].test(own)),
    seniority: seniorityOf(own, own !== office),
    // An assistant has the function of the department, but not the role or general management of an office.
    function: functionOf(own) ?? functionNamed(current),
  }
}

type Matcher = { test(words: string): boolean; position(words: string): number }

function matcherOf(
  words: readonly string[],
  without: readonly string[] = [],
  others: readonly RegExp[] = [],
): Matcher {
  const wanted = anyOf(words)
  const unwanted = [...(without.length === 0 ? [] : [anyOf(without, 'g')]), ...others]
  const position = (text: string) => unwanted.reduce(blanked, text).search(wanted)
  return { position, test: text => position(text) >= 0 }
}

const leadingKeys: readonly RoleKey[] = ['marketing_leads', 'product_leads', 'decision_makers']

function roleMatcher(key: RoleKey): Matcher {
  const { patterns, exclusions, oneOffice = false } = roleGlossary[key]
  return matcherOf(patterns, exclusions, [
    ...(oneOffice ? [deputiesOf(patterns)] : []),
    ...(leadingKeys.includes(key) ? [gradedOccupations] : []),
    ...(key === 'ceo' ? [chiefsOfFunction] : []),
  ])
}

const functionMatchers = Object.entries(functionWords).map(([name, described]) => ({
  name: name as keyof typeof functionWords,
  matcher: matcherOf(described.words, 'without' in described ? described.without : []),
}))

const matchers = {
  roles: Object.fromEntries(roleKeys.map(key => [key, roleMatcher(key)])) as Record<RoleKey, Matcher>,
  seniority: Object.fromEntries(
    seniorities.map(level => {
      const { words, without } = seniorityWords[level]
      return [
        level,
        matcherOf(words, without, level === 'c_level' || level === 'head' ? [gradedOccupations] : []),
      ]
    }),
  ) as Record<Seniority, Matcher>,
}

function seniorityOf(own: string, assists: boolean): Seniority | null {
  const level = seniorities.find(each => matchers.seniority[each].test(own))
  return level ?? (assists ? 'ic' : null)
}

const runsAll = matcherOf(
  [
    ...seniorityWords.c_level.words,
    ...seniorityWords.founder_owner.words,
    '(general|country) manager',
    '(board member|member of the board|board of directors|non executive)',
  ],
  seniorityWords.founder_owner.without,
)

const functionOf = (own: string) => functionNamed(own) ?? (runsAll.test(own) ? generalManagement : null)

function functionNamed(words: string): JobFunction | null {
  let result: JobFunction | null = null
  let first = Number.POSITIVE_INFINITY
  for (const { name, matcher } of functionMatchers) {
    const position = matcher.position(words)
    if (position < 0 || position >= first) continue
    result = name
    first = position
  }
  return result
}
