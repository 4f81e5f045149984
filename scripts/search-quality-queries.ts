// Makes queries, as customers type them, from stored names with the right Companies. Names are compared by
// this file's own rules, so that the search is not measured by its own folding.

export type NamedCompany = { ref: string; names: string[]; brands: string[]; domains: string[] }

export type LabelledQuery = { kind: QueryKind; text: string; meant: string; right: ReadonlySet<string> }

export const queryKinds = {
  exact: 'a name as it is published',
  case: 'in other capitals',
  accents: 'an accent left out, or put where there is none',
  form_left_out: 'the legal form left out',
  form_changed: 'the legal form in another spelling',
  typing_error: 'one typing error in a word of five letters or more',
  word_order: 'the words in another order',
  prefix: 'its beginning',
  part: 'some of its words',
  brand: 'a brand',
  domain: 'a site, as it is pasted',
} as const
export type QueryKind = keyof typeof queryKinds

const queriesOfKindMax = 300
const typedWordLettersMin = 5
const prefixLettersMin = 4
const attemptsMax = 60

const legalForms: Record<string, readonly string[]> = {
  ltd: ['Limited', 'Ltd', 'Ltd.', 'LTD'],
  plc: ['plc', 'PLC', 'P.L.C.', 'Public Limited Company'],
  'a/s': ['A/S', 'Aktieselskab'],
  aps: ['ApS', 'Anpartsselskab'],
  ab: ['AB', 'Aktiebolag'],
  gmbh: ['GmbH', 'Gesellschaft mit beschränkter Haftung'],
  bv: ['B.V.', 'BV'],
  nv: ['N.V.', 'NV'],
  sa: ['S.A.', 'SA', 'Sociedade Anônima'],
  ltda: ['Ltda', 'LTDA.', 'Limitada'],
  llc: ['LLC', 'L.L.C.', 'Limited Liability Company'],
  inc: ['Inc', 'Inc.', 'Incorporated'],
}
const formBySpelling = new Map(
  Object.entries(legalForms).flatMap(([form, spellings]) =>
    spellings.map(spelling => [spelling.toLowerCase(), form] as const),
  ),
)
const longestFirst = [...formBySpelling.keys()].sort((a, b) => b.length - a.length)

function splitForm(name: string): { stem: string; form: string | null } {
  const lower = name.toLowerCase()
  const spelling = longestFirst.find(each => lower.endsWith(` ${each}`))
  if (spelling === undefined) return { stem: name, form: null }
  const stem = name.slice(0, -spelling.length - 1).replace(/[\s,]+$/, '')
  return { stem, form: formBySpelling.get(spelling) as string }
}

const plain = (text: string) =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

function randomOf(seed: number) {
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (count: number) => Math.floor(next() * count)
  return { below, of: <Item>(items: readonly Item[]) => items[below(items.length)] as Item }
}
type Random = ReturnType<typeof randomOf>

/** Makes a query of one kind from a name or site. Returns null if that is not possible. */
type Writer = (name: string, random: Random) => string | null

const writers: Record<QueryKind, Writer> = {
  exact: name => name,
  case: (name, random) => {
    const styles = [
      name.toLowerCase(),
      name.toUpperCase(),
      [...name].map(letter => (random.below(2) === 0 ? letter.toLowerCase() : letter.toUpperCase())).join(''),
    ]
    return random.of(styles.filter(style => style !== name))
  },
  accents: (name, random) => {
    const bare = name.normalize('NFD').replaceAll(/\p{M}/gu, '').normalize('NFC')
    if (bare !== name) return bare
    const vowels = [...name.matchAll(/[aeiou]/gi)]
    if (vowels.length === 0) return null
    const { index } = random.of(vowels)
    return (
      name.slice(0, index + 1) +
      random.of(['\u0301', '\u0300', '\u0308']) +
      name.slice(index + 1)
    ).normalize('NFC')
  },
  form_left_out: name => {
    const { stem, form } = splitForm(name)
    return form === null ? null : stem
  },
  form_changed: (name, random) => {
    const { stem, form } = splitForm(name)
    if (form === null) return null
    const written = name.slice(stem.length).replace(/^[\s,]+/, '')
    return `${stem} ${random.of((legalForms[form] ?? []).filter(spelling => spelling !== written))}`
  },
  typing_error: (name, random) => {
    const { stem } = splitForm(name)
    const words = [...stem.matchAll(/\p{L}+/gu)].filter(([word]) => [...word].length >= typedWordLettersMin)
    if (words.length === 0) return null
    const { 0: word, index } = random.of(words)
    const typed = mistype(word, random)
    return typed === word ? null : name.slice(0, index) + typed + name.slice(index + word.length)
  },
  word_order: (name, random) => {
    const words = splitForm(name).stem.split(/\s+/)
    if (words.length < 2) return null
    const cut = 1 + random.below(words.length - 1)
    const turned = [...words.slice(cut), ...words.slice(0, cut)].join(' ')
    return turned === words.join(' ') ? null : turned
  },
  prefix: (name, random) => {
    if (name.length <= prefixLettersMin) return null
    const text = name.slice(0, prefixLettersMin + random.below(name.length - prefixLettersMin)).trimEnd()
    return plain(text).length < prefixLettersMin ? null : text
  },
  part: (name, random) => {
    const words = splitForm(name).stem.split(/\s+/)
    if (words.length < 2) return null
    const length = 1 + random.below(words.length - 1)
    const start = random.below(words.length - length + 1)
    const text = words.slice(start, start + length).join(' ')
    return plain(text).length < prefixLettersMin ? null : text
  },
  brand: name => name,
  domain: (domain, random) => random.of(pastedForms)(domain),
}

function mistype(word: string, random: Random): string {
  const letters = [...word]
  const at = random.below(letters.length)
  const letter = letters[at] as string
  switch (random.below(4)) {
    case 0:
      return letters.toSpliced(at, 1).join('')
    case 1:
      return letters.toSpliced(at, 0, random.of([...'abcdefghijklmnopqrstuvwxyz'])).join('')
    case 2:
      return letters.toSpliced(at, 1, random.of([...'abcdefghijklmnopqrstuvwxyz'])).join('')
    default:
      return at + 1 < letters.length
        ? letters.toSpliced(at, 2, letters[at + 1] as string, letter).join('')
        : word
  }
}

type ComparedName = { name: string; plain: string; stem: string; sorted: string; form: string | null }

function comparedName(name: string): ComparedName {
  const { stem, form } = splitForm(name)
  const words = plain(stem)
  return { name, plain: plain(name), stem: words, sorted: words.split(' ').sort().join(' '), form }
}

/**
 * Decides whether the Company `other` is a right answer to the query `typed`, which was made from the name
 * `meant`.
 */
type IsRight = (other: ComparedName, meant: ComparedName, typed: ComparedName) => boolean

const sameName: IsRight = (other, meant) => other.plain === meant.plain

const isRight: Record<QueryKind, IsRight> = {
  exact: sameName,
  case: sameName,
  accents: sameName,
  form_left_out: (other, meant) => other.stem === meant.stem,
  form_changed: (other, meant) => other.stem === meant.stem && other.form === meant.form,
  typing_error: sameName,
  word_order: (other, meant) => other.sorted === meant.sorted,
  prefix: (other, _, typed) => other.plain.startsWith(typed.plain),
  part: (other, _, typed) => ` ${other.plain} `.includes(` ${typed.plain} `),
  brand: sameName,
  domain: (other, meant) => other.name === meant.name,
}

const pastedForms = [
  (domain: string) => domain,
  (domain: string) => `https://www.${domain}/`,
  (domain: string) => `http://${domain}/casino?ref=1`,
  (domain: string) => domain.toUpperCase(),
]

/** Makes queries, the same for the same companies and seed. The right answers are among `all`. */
export function labelledQueries(
  companies: readonly NamedCompany[],
  all: readonly NamedCompany[],
  seed: number,
): LabelledQuery[] {
  const random = randomOf(seed)
  const [sites, names] = [index(all, of => of.domains), index(all, of => [...of.names, ...of.brands])]
  return (Object.keys(queryKinds) as QueryKind[]).flatMap(kind => {
    const sources = companies.flatMap(company => sourcesOf(company, kind))
    const queries = new Map<string, LabelledQuery>()
    for (let attempt = 0; attempt < queriesOfKindMax * attemptsMax && sources.length > 0; attempt += 1) {
      if (queries.size === queriesOfKindMax) break
      const meant = random.of(sources)
      const text = writers[kind](meant, random)
      if (text === null || [...text.trim()].length < 2 || queries.has(text)) continue
      const typed = comparedName(text)
      const right = rightOnes(kind === 'domain' ? sites : names, isRight[kind], comparedName(meant), typed)
      queries.set(text, { kind, text, meant, right })
    }
    return [...queries.values()]
  })
}

function sourcesOf({ names, brands, domains }: NamedCompany, kind: QueryKind): string[] {
  return kind === 'domain' ? domains : kind === 'brand' ? brands : names
}

type Index = readonly { ref: string; name: ComparedName }[]

function index(companies: readonly NamedCompany[], of: (company: NamedCompany) => string[]): Index {
  return companies.flatMap(company =>
    of(company).map(name => ({ ref: company.ref, name: comparedName(name) })),
  )
}

function rightOnes(
  candidates: Index,
  isRight: IsRight,
  meant: ComparedName,
  typed: ComparedName,
): Set<string> {
  return new Set(candidates.filter(({ name }) => isRight(name, meant, typed)).map(({ ref }) => ref))
}
