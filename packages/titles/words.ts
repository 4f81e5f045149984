/**
 * Reads the folder `words` once. The first step of a path such as `functions.data.words` is a file's name.
 */
import { readFileSync } from 'node:fs'
import { load as parseYaml } from 'js-yaml'

type Words = string | boolean | readonly Words[] | { readonly [name: string]: Words }
type ByName = { readonly [name: string]: Words }

const files = [
  'functions',
  'indirect',
  'leaders',
  'offices',
  'phrases',
  'roles',
  'seniorities',
  'synonyms',
] as const

let loaded: ByName | undefined

function load(): ByName {
  loaded ??= Object.fromEntries(
    files.map(name => [
      name,
      parseYaml(readFileSync(new URL(`words/${name}.yaml`, import.meta.url), 'utf8')),
    ]),
  ) as ByName
  return loaded
}

const isByName = (words: Words | undefined): words is ByName =>
  typeof words === 'object' && !Array.isArray(words)

function wordsIn(path: string): Words | undefined {
  return path
    .split('.')
    .reduce<Words | undefined>((words, name) => (isByName(words) ? words[name] : undefined), load())
}

export const hasWords = (path: string): boolean => wordsIn(path) !== undefined

function wordsAt(path: string): Words {
  const words = wordsIn(path)
  if (words === undefined) throw new Error(`No words at ${JSON.stringify(path)}.`)
  return words
}

export function namesAt(path: string): string[] {
  const words = wordsAt(path)
  if (!isByName(words)) throw new Error(`${JSON.stringify(path)} must have names.`)
  return Object.keys(words)
}

export function textAt(path: string): string {
  const words = wordsAt(path)
  if (typeof words !== 'string') throw new Error(`${JSON.stringify(path)} must be a text.`)
  return words
}

/**
 * Returns all patterns at and below the path, in order. `<path>` in a pattern stands for the words of that
 * path.
 */
export const patternsAt = (path: string): readonly string[] => patternsOf(wordsAt(path))

/** Joins the patterns at the path into one list of alternatives: `deputy|vice`. */
export const alternativesAt = (path: string): string => patternsAt(path).join('|')

const reference = /<([\w.]+)>/g
const onlyReference = /^<([\w.]+)>$/

function patternsOf(words: Words): readonly string[] {
  if (typeof words === 'string') {
    const [, path] = onlyReference.exec(words) ?? []
    return path === undefined
      ? [words.replaceAll(reference, (_, each: string) => alternativesAt(each))]
      : patternsAt(path)
  }
  if (typeof words === 'boolean') throw new Error('Words must be texts.')
  if (!isByName(words)) return words.flatMap(patternsOf)
  if (isByName(words.leading)) return leadingPatterns(words.leading)
  if (isByName(words.titles)) return leadingTitles(words.titles)
  return Object.values(words).flatMap(patternsOf)
}

/**
 * Builds the patterns for leaders of a function and their deputies, in both word orders. `everywhere` has
 * words of all languages.
 */
function leadingPatterns({ everywhere, ...languages }: ByName): string[] {
  const leaders = Object.entries(languages).flatMap(([language, named]) => {
    const leader = alternativesAt(`leaders.words.${language}`)
    return [`(${leader}) … (${named}|${everywhere})`, `(${named}|${everywhere}) … (${leader})`]
  })
  const { pl, cs, ru } = languages
  const deputies = `(${alternativesAt('phrases.slavic_deputy')}) … (${alternativesAt('phrases.genitives')})`
  return [...leaders, `${deputies} … (${pl}|${cs}|${ru}|${everywhere})`]
}

const leadingTitles = (functions: ByName): string[] =>
  Object.entries(functions).flatMap(([language, named]) =>
    textAt(`leaders.titles.${language}`)
      .split(', ')
      .map(title => title.replace('…', String(named))),
  )
