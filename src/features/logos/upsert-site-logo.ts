import { Readable } from 'node:stream'
import type { FileStore } from '@baize/files'
import { imageFileName } from '@baize/images'
import { slugOf } from '@baize/names'
import type { FoundLogo } from '@baize/site-visitor'
import type { Transaction } from '../../database/open.ts'
import { defaultTheme, logoSources, storedName } from './kinds.ts'
import { insertLogos, readStoredLogos, updateLogos } from './logo-lines-store.ts'
import { blockLogoSweep } from './logo-sweep-store.ts'
import { type ImportedLogo, type Outcome, reconcileLogos } from './reconcile-logos.ts'
import { findOwnSubject } from './site-logos-store.ts'
import { upsertLogoLines } from './upsert-logo-lines.ts'

/** Must be called before rows name the file, because a sweep waits until the transaction ends. */
export async function storeSiteImage(tx: Transaction, { bytes, format }: FoundLogo, files: FileStore) {
  await blockLogoSweep(tx)
  await files.put(storedName(imageFileName(bytes, format)), Readable.from([bytes]))
}

/** Stores a logo that a site shows of itself. It never supersedes a logo of a more trusted source. */
export async function upsertSiteLogo(
  tx: Transaction,
  site: { domainId: number; domain: string },
  { bytes, ...image }: FoundLogo,
  seenAt: Date,
): Promise<Outcome> {
  const logo: ImportedLogo = {
    ...image,
    file_name: imageFileName(bytes, image.format),
    theme: defaultTheme,
    source: 'website',
    status: null,
    first_seen_at: null,
    superseded_at: null,
  }
  const subjectId = await findOwnSubject(tx, site.domainId)
  if (subjectId === null) {
    const subject = {
      kind: 'operator_brand' as const,
      slug: slugOf(site.domain),
      name: site.domain,
      domain_id: site.domainId,
      role: [],
    }
    const [outcome] = await upsertLogoLines(tx, [{ ...subject, logo }], seenAt)
    return outcome as Outcome
  }
  const stored = await readStoredLogos(tx, [subjectId])
  const slot = stored.filter(row => row.variant === image.variant && row.status === 'current')
  if (slot.some(row => logoSources.indexOf(row.source) < logoSources.indexOf('website'))) return 'unchanged'
  const { outcomes, inserts, updates } = reconcileLogos(stored, [logo], seenAt.getTime())
  await updateLogos(tx, updates)
  await insertLogos(
    tx,
    inserts.map(row => ({ ...row, subject_id: subjectId })),
  )
  return outcomes[0] as Outcome
}
