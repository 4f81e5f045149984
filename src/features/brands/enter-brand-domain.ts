import { findMarket, hasPlausibleYear, readDomain } from '@baize/names'
import type { BrandDomainEntry } from '@baize/registers/entries'
import { newRef } from '../../core/ref.ts'
import type { Session } from '../../core/session-operation.ts'
import { StaffError } from '../../core/staff-error.ts'
import type { Transaction, World } from '../../database/open.ts'
import { recordEvent } from '../../journal/index.ts'
import { recordAuditEvent } from '../audit/index.ts'
import { endFactChange } from '../facts/index.ts'
import { requireReason, requireSource, withFactsLock } from '../staff-decision-store.ts'
import { applyBrandDomains, insertDomain } from './apply-brand-domains-store.ts'
import {
  approveRow,
  closeRow,
  insertBrandDomain,
  readBrandDomains,
  type StaffBrandDomain,
} from './brand-domains-store.ts'

/** The person of staff who acts, or null for a command of the operator, and the time. */
type Act = { by: Pick<Session, 'userId' | 'email'> | null; now: Date }
export type BrandDomainReport = {
  brand_domain_ref: string
  status: StaffBrandDomain['status']
  domain: string
}

/** A brand and its site without the day of the source, which is the current day by default. */
export type NewBrand = Omit<BrandDomainEntry, 'source_day'> & { source_day?: string | undefined }

const brandCharactersMax = 200

/** Proposes the site of a brand that a register of the market names. It licenses nothing until approved. */
export function enterBrandDomain(
  world: World,
  entry: NewBrand,
  { why, by, now }: Act & { why: string },
): Promise<BrandDomainReport> {
  const row = checkEntry(entry, now)
  requireReason(why, 'Give a reason. Only staff see it.')
  return withFactsLock(world, async tx => {
    const ref = newRef('bd')
    if (!(await insertBrandDomain(tx, { ...row, ref, why, enteredBy: by?.email ?? null, now })))
      throw new StaffError(`${row.domain} is already proposed or approved for this brand and market.`)
    const stored = await requireRow(tx, ref)
    requireListed(stored)
    await audit(tx, 'brand_domain.entered', stored, { by, now, why })
    return report(stored)
  })
}

/**
 * Approves a proposed row: the licenses of the brand license the site from now on. On the page, the person
 * who entered it cannot approve it.
 */
export function approveBrandDomain(world: World, ref: string, act: Act): Promise<BrandDomainReport> {
  return withFactsLock(world, async tx => {
    const row = await requireRow(tx, ref)
    if (row.status !== 'proposed')
      throw new StaffError(`${ref} is ${row.status}. Only proposed rows can be approved.`)
    if (act.by !== null && row.entered_by === act.by.email)
      throw new StaffError('You entered it. Another person of staff must approve it.')
    requireListed(row)
    await audit(tx, 'brand_domain.approved', row, act)
    await decide(tx, 'approve', row, { by: act.by?.email ?? null, now: act.now })
    return { ...report(row), status: 'approved' }
  })
}

/** Removes an approved row, whose site is no longer licensed by it, or withdraws a proposed one. */
export function removeBrandDomain(
  world: World,
  ref: string,
  { why, by, now }: Act & { why: string },
): Promise<BrandDomainReport> {
  requireReason(why, 'Give a reason. Only staff see it.')
  return withFactsLock(world, async tx => {
    const row = await requireRow(tx, ref)
    if (row.known_to !== null) throw new StaffError(`${ref} is already ${row.status}.`)
    const status = row.status === 'approved' ? 'removed' : 'withdrawn'
    await audit(tx, `brand_domain.${status}`, row, { by, now, why })
    if (status === 'removed') await decide(tx, 'remove', row, { by: null, now })
    else await closeRow(tx, ref, now)
    return { ...report(row), status }
  })
}

/** The detail of a `brand` event. It has no names of staff. */
type RecordedDecision = BrandDomainEntry & { action: 'approve' | 'remove'; brand_domain_ref: string }

type Decision = { by: string | null; now: Date }

/** Changes the row and the facts that follow from it, and records the decision in the history. */
async function decide(
  tx: Transaction,
  action: RecordedDecision['action'],
  row: BrandDomainEntry & { brand_domain_ref: string },
  { by, now }: Decision,
): Promise<void> {
  const { brand_domain_ref, market, brand, domain, source_url, source_day } = row
  if (action === 'remove') await closeRow(tx, brand_domain_ref, now)
  else {
    await insertDomain(tx, domain, newRef('dom'))
    await approveRow(tx, brand_domain_ref, by, now)
  }
  const domainIds = await applyBrandDomains(tx, { market, now })
  await endFactChange(tx, { domainIds, cause: { cause: 'staff', occurredAt: now, now } })
  const detail: RecordedDecision = {
    action,
    brand_domain_ref,
    market,
    brand,
    domain,
    source_url,
    source_day,
  }
  await recordEvent(tx, { kind: 'brand', at: now, detail })
}

export async function replayBrandDecision(world: World, recorded: RecordedDecision, at: Date): Promise<void> {
  await withFactsLock(world, async tx => {
    const { action, ...row } = recorded
    if (action === 'approve')
      await insertBrandDomain(tx, {
        ...row,
        ref: row.brand_domain_ref,
        why: 'replayed',
        enteredBy: null,
        now: at,
      })
    await decide(tx, action, row, { by: null, now: at })
  })
}

const report = ({ brand_domain_ref, status, domain }: StaffBrandDomain): BrandDomainReport => ({
  brand_domain_ref,
  status,
  domain,
})

async function requireRow(tx: Transaction, ref: string): Promise<StaffBrandDomain> {
  const [row] = await readBrandDomains(tx, { ref })
  if (row === undefined) throw new StaffError(`Unknown row "${ref}". "brand-domain list" lists all.`)
  return row
}

function requireListed({ market, brand, licenses }: StaffBrandDomain): void {
  if (licenses === 0)
    throw new StaffError(`No register of ${market} lists a license of "${brand}" today. Write it as printed.`)
}

async function audit(
  tx: Transaction,
  action: string,
  { brand_domain_ref: ref, market, brand, domain, source_url: source }: StaffBrandDomain,
  { by, now, why }: Act & { why?: string },
): Promise<void> {
  const details = { market, brand, domain, source, ...(why === undefined ? {} : { why }) }
  await recordAuditEvent(tx, by, { action, subject: ref, accountId: null, details, now })
}

function checkEntry(entry: NewBrand, now: Date): BrandDomainEntry {
  const { market, source_url, source_day = now.toISOString().slice(0, 10) } = entry
  const brand = entry.brand.trim()
  if (findMarket(market) === undefined)
    throw new StaffError(`Unknown market "${market}". "register list --markets" lists all.`)
  if (brand === '' || brand.length > brandCharactersMax)
    throw new StaffError(`"brand" must have 1 to ${brandCharactersMax} characters.`)
  const read = readDomain(entry.domain)
  if (!read.ok) throw new StaffError(`"domain" must be a domain, such as example.com.`)
  requireSource(source_url)
  const day = new Date(`${source_day}T00:00:00Z`)
  const isDay = !Number.isNaN(day.getTime()) && day.toISOString().slice(0, 10) === source_day
  if (!isDay || !hasPlausibleYear(day) || day > now)
    throw new StaffError('"seen" must be a day that is not later than today, such as 2026-10-05.')
  return { market, brand, domain: read.domain, source_url, source_day }
}
