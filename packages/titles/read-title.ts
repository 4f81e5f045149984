import { LRUCache } from 'lru-cache'
import { blanked, compileIndirectTitles, deputiesOf } from './indirect-titles.ts'
import { chiefsOfFunction, gradedOccupations, lesserOffices } from './lesser-offices.ts'
import { type JobFunction, type RoleKey, roleKeys, type Seniority, seniorities } from './role-glossary.ts'
import { anyOf } from './title-pattern.ts'
import { titleWords } from './title-words.ts'
import { hasWords, namesAt, patternsAt } from './words.ts'

export type TitleReading = {
  roleKeys: readonly RoleKey[]
  /** Is null when the title names no seniority. */
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

type Matcher = { test(words: string): boolean; position(words: string): number }
type Rules = ReturnType<typeof compile>
let compiled: Rules | undefined

function readWords(words: string): TitleReading {
  compiled ??= compile()
  const rules = compiled
  const current = rules.withoutFormer(words)
  const office = blanked(current, rules.lesserOffices)
  const own = rules.withoutAssistants(office)
  return {
    roleKeys: roleKeys.filter(key => rules.roles.get(key)?.test(own)),
    seniority: seniorityOf(rules, own, own !== office),
    // An assistant has the function of the department, but not the role or general management of an office.
    function:
      functionNamed(rules, own) ??
      (rules.runsAll.test(own) ? 'general_management' : functionNamed(rules, current)),
  }
}

function seniorityOf({ levels }: Rules, own: string, assists: boolean): Seniority | null {
  const level = seniorities.find(each => levels.get(each)?.test(own))
  return level ?? (assists ? 'ic' : null)
}

/** Returns the function that the title names first. */
function functionNamed({ functions }: Rules, words: string): JobFunction | null {
  let result: JobFunction | null = null
  let first = Number.POSITIVE_INFINITY
  for (const [name, matcher] of functions) {
    const position = matcher.position(words)
    if (position < 0 || position >= first) continue
    result = name
    first = position
  }
  return result
}

function compile() {
  const graded = gradedOccupations()
  const chiefs = chiefsOfFunction()
  return {
    ...compileIndirectTitles(),
    lesserOffices: lesserOffices(),
    roles: new Map(roleKeys.map(key => [key, roleMatcher(key, graded, chiefs)])),
    levels: new Map(
      seniorities.map(level => {
        const others = level === 'c_level' || level === 'head' ? [graded] : []
        return [level, matcherAt(`seniorities.${level}`, others)]
      }),
    ),
    functions: namesAt('functions').map(
      name => [name as JobFunction, matcherAt(`functions.${name}`)] as const,
    ),
    runsAll: matcherOf(
      [
        ...patternsAt('seniorities.c_level.words'),
        ...patternsAt('seniorities.founder_owner.words'),
        ...patternsAt('phrases.runs_all'),
      ],
      patternsAt('seniorities.founder_owner.without'),
    ),
  }
}

const leadingKeys: readonly RoleKey[] = ['marketing_leads', 'product_leads', 'decision_makers']

function roleMatcher(key: RoleKey, graded: RegExp, chiefs: RegExp): Matcher {
  const patterns = patternsAt(`roles.${key}.patterns`)
  return matcherOf(patterns, patternsAt(`roles.${key}.exclusions`), [
    ...(hasWords(`roles.${key}.one_office`) ? [deputiesOf(patterns)] : []),
    ...(leadingKeys.includes(key) ? [graded] : []),
    ...(key === 'ceo' ? [chiefs] : []),
  ])
}

function matcherAt(path: string, others: readonly RegExp[] = []): Matcher {
  const without = hasWords(`${path}.without`) ? patternsAt(`${path}.without`) : []
  return matcherOf(patternsAt(`${path}.words`), without, others)
}

/** Matches `words` after the look-alikes in `without` have been removed. */
function matcherOf(
  words: readonly string[],
  without: readonly string[],
  others: readonly RegExp[] = [],
): Matcher {
  const wanted = anyOf(words)
  const unwanted = [...(without.length === 0 ? [] : [anyOf(without, 'g')]), ...others]
  const position = (text: string) => unwanted.reduce(blanked, text).search(wanted)
  return { position, test: text => position(text) >= 0 }
}
