/** Checks how the current files of a register are found. */
import { compileSearch, type FileForm, type LocatedProblem } from '@baize/tables'
import type { Static } from 'typebox'
import { resolveKeys, type resolveSchema } from './resolve-schema.ts'

type Finding = { resolve?: Static<typeof resolveSchema>; file: FileForm }

const value = (path: readonly string[], message: string): LocatedProblem => ({ path, at: 'value', message })
const key = (path: readonly string[], message: string): LocatedProblem => ({ path, at: 'key', message })

export const isHttps = (url: string) => /^https:\/\/[^/{]/.test(url) && URL.canParse(url)

export function* checkResolve({ resolve, file }: Finding): Generator<LocatedProblem> {
  if (resolve === undefined) return
  const { by, ...given } = resolve
  const accepted: readonly string[] = resolveKeys[by]
  for (const name of Object.keys(given)) {
    const others = accepted.length === 0 ? 'no other key' : `only ${accepted.join(', ')}`
    if (!accepted.includes(name)) yield key(['resolve', name], `resolve by ${by} accepts ${others}`)
  }
  if (given.all === true && given.newest !== undefined)
    yield key(['resolve', 'newest'], 'resolve.newest chooses one file; omit it, or resolve.all')
  if (given.workbook === true && file.format !== 'xlsx')
    yield key(['resolve', 'workbook'], `resolve.workbook needs file.format xlsx, found ${file.format}`)
  if (given.address !== undefined && !(given.address.includes('{value}') && isHttps(given.address)))
    yield value(['resolve', 'address'], 'resolve.address must begin with https:// and contain {value}')
  for (const name of ['path', 'gid', 'parameter', 'wait_for'] as const)
    if (accepted.includes(name) && given[name] === undefined)
      yield key(['resolve'], `resolve by ${by} needs ${name}`)
  if (by === 'newest_link') {
    yield* checkLink(['resolve'], given)
    if (given.next !== undefined) yield* checkLink(['resolve', 'next'], given.next)
  } else yield* checkExpressions(['resolve'], given)
}

type Link = NonNullable<Static<typeof resolveSchema>['next']>

function* checkLink(path: readonly string[], link: Link): Generator<LocatedProblem> {
  if (link.text === undefined && link.href === undefined)
    yield key(path, `${path.join('.')} by newest_link needs text or href, to recognise the link`)
  yield* checkExpressions(path, link)
}

function* checkExpressions(path: readonly string[], link: Link): Generator<LocatedProblem> {
  for (const name of ['text', 'href'] as const) {
    const expression = link[name]
    const compiled = expression === undefined ? null : compileSearch(expression)
    if (compiled?.ok !== false) continue
    const where = [...path, name]
    yield value(where, `${where.join('.')} must be a regular expression: ${compiled.reason}`)
  }
}
