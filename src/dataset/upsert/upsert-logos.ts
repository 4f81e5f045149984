import type { Transaction } from '../../database/open.ts'
import { upsertLogoLines } from '../../features/logos/index.ts'
import { readStagedLogos } from '../stage/staged-logos-store.ts'
import type { UpsertResult } from './upsert-staged.ts'

const subjectsAtOnce = 500

/** Logos, subject by subject: what files say of one is weighed with what is held of it. */
export async function upsertLogos(tx: Transaction, now: Date): Promise<UpsertResult> {
  const merged = { added: 0, changed: 0 }
  for (let after = { kind: '', slug: '' }; ; ) {
    const lines = await readStagedLogos(tx, after, subjectsAtOnce)
    const last = lines.at(-1)
    if (last === undefined) return merged
    after = last
    for (const outcome of await upsertLogoLines(tx, lines, now))
      if (outcome !== 'unchanged') merged[outcome] += 1
  }
}
