import { upsertLogoLines } from '../../features/logos/index.ts'
import { readStagedLogos } from '../stage/staged-logos-store.ts'
import type { UpsertContext, UpsertResult } from './upsert-context.ts'

const subjectsAtOnce = 500

export async function upsertLogos({ tx, now }: UpsertContext): Promise<UpsertResult> {
  const result = { added: 0, changed: 0 }
  for (let after = { kind: '', slug: '' }; ; ) {
    const lines = await readStagedLogos(tx, after, subjectsAtOnce)
    const last = lines.at(-1)
    if (last === undefined) return result
    after = last
    for (const outcome of await upsertLogoLines(tx, lines, now))
      if (outcome !== 'unchanged') result[outcome] += 1
  }
}
