import { foldValue } from '@baize/names'
import { StaffError } from '../../../core/staff-error.ts'
import type { Transaction, World } from '../../../database/open.ts'
import { type Actor, recordAuditEvent } from '../../audit/index.ts'
import { requireSource } from '../../staff-decision-store.ts'
import { changeCompanies, endCompanyChange, requireActive } from '../change-companies.ts'
import { endMembers, type GroupMember, insertMember, readMembers, readRefs } from './groups-store.ts'

const nameCharactersMax = 200

type Act = { why: string; now: Date; by: Actor }

export type GroupReport = { group: string; members: string[] }

/** States that Companies are of one group, by a public source. A stated member gets the new source. */
export function stateGroup(
  world: World,
  { name, members, source }: { name: string; members: readonly string[]; source: string },
  { why, now, by }: Act,
): Promise<GroupReport> {
  const [group, key] = checkName(name)
  requireSource(source)
  return changeCompanies(world, why, async tx => {
    const companies = await requireMembers(tx, members)
    const ids = companies.map(({ id }) => id)
    await endMembers(tx, { key, ids, reason: 'stated again', now })
    const stated = { name: group, name_key: key, source_url: source, why, stated_at: now }
    for (const id of ids) await insertMember(tx, { ...stated, company_id: id, stated_by: by?.email ?? null })
    const refs = companies.map(each => each.company_ref)
    const event = { action: 'company.group_stated', subject: group, accountId: null, now }
    await recordAuditEvent(tx, by, { ...event, details: { members: refs, source, reason: why } })
    await endCompanyChange(tx, ids, [], now)
    return { group, members: refs }
  })
}

/** Ends the membership of Companies; without members that of all. */
export function endGroup(
  world: World,
  { name, members }: { name: string; members: readonly string[] | null },
  { why, now, by }: Act,
): Promise<GroupReport> {
  const [group, key] = checkName(name)
  return changeCompanies(world, why, async tx => {
    const wanted = members === null ? null : await requireMembers(tx, members)
    const wantedIds = wanted === null ? null : wanted.map(({ id }) => id)
    const ids = await endMembers(tx, { key, ids: wantedIds, reason: why, now })
    const missing = wanted?.find(({ id }) => !ids.includes(id))
    if (missing !== undefined) throw new StaffError(`${missing.company_ref} is not stated to be of ${group}.`)
    if (ids.length === 0) throw new StaffError(`There is no group ${group}. "company groups" lists all.`)
    const event = { action: 'company.group_ended', subject: group, accountId: null, now }
    const refs = await readRefs(tx, ids)
    await recordAuditEvent(tx, by, { ...event, details: { members: refs, reason: why } })
    await endCompanyChange(tx, ids, [], now)
    return { group, members: refs }
  })
}

export const listGroups = ({ database }: World): Promise<GroupMember[]> => readMembers(database)

function checkName(name: string): [group: string, key: string] {
  const group = name.trim()
  if (group === '' || group.length > nameCharactersMax)
    throw new StaffError(`The name of a group has 1 to ${nameCharactersMax} characters.`)
  return [group, foldValue(group)]
}

async function requireMembers(tx: Transaction, refs: readonly string[]) {
  if (refs.length === 0) throw new StaffError('Name at least one Company with --members.')
  const companies = []
  for (const ref of new Set(refs)) companies.push(await requireActive(tx, ref))
  return companies
}
