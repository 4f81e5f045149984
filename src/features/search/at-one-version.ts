import type { World } from '../../database/open.ts'
import type { SearchQuery } from './contract.ts'
import { type AtVersion, readVersion } from './dictionary.ts'
import { type PreparedQuery, prepareQuery } from './prepare-query.ts'

const attemptsMax = 3

/** `version`: the one that a statement reported; null: everything was cached. */
export type VersionedResult<Result> = { result: Result; version: number | null }

type SearchRun<Result> = {
  at: AtVersion
  nothing: Result
  run(query: PreparedQuery): Promise<VersionedResult<Result>>
}

/** Runs a search again, at most three times, if a writer commits between its statements. */
export async function atOneVersion<Result>(
  world: World,
  query: SearchQuery,
  { at, nothing, run }: SearchRun<Result>,
): Promise<{ result: Result; version: number }> {
  // PostgreSQL rejects a NUL character.
  if (query.filters.some(({ value }) => value.includes('\0')))
    return { result: nothing, version: await readVersion(world) }
  for (let attempt = 1; ; attempt += 1) {
    const isFirst = attempt === 1
    const { version: assumed, query: prepared } = await prepareQuery(world, query, isFirst ? at : 'now')
    const { result, version: reported } =
      prepared === null ? { result: nothing, version: null } : await run(prepared)
    const isUnread = isFirst && at === 'last known'
    const version = reported ?? (isUnread ? await readVersion(world) : assumed)
    if (version === assumed || attempt === attemptsMax) return { result, version }
  }
}
