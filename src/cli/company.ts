import { counted } from '@baize/names'
import { type Out, printTable } from '@baize/terminal'
import type { Command } from 'commander'
import { StaffError } from '../core/staff-error.ts'
import { aCommand } from '../features/audit/index.ts'
import {
  type Identity,
  keepDistinct,
  listDuplicates,
  mergeCompanies,
  showCompany,
  splitCompany,
} from '../features/companies/index.ts'
import { groupCommands } from './company-groups.ts'
import { wholeNumber } from './read-argument.ts'
import { withSession } from './session.ts'

export function companyCommands(program: Command, out: Out): void {
  const company = program.command('company').description('Companies: merge, split and show them.')
  duplicateCommands(company, out)

  company
    .command('merge <from> <into>')
    .description('Merge one Company into another. The merged ref stays valid.')
    .requiredOption('--why <reason>', 'the reason; stored in the history of both')
    .action(async (from: string, into: string, { why }: { why: string }) => {
      const report = await withSession(({ world }) =>
        mergeCompanies(world, { from, into, reason: why, now: new Date(), by: aCommand }),
      )
      const moved = `${namesOf(report.identities)}, ${counted(report.licenses, 'license')}`
      out.print({
        json: report,
        text: `${report.merged_ref} is merged into ${report.company_ref}: ${moved}`,
      })
    })

  company
    .command('split <company>')
    .description('Split identities off a Company: back to the one they were merged from, or to a new one.')
    .requiredOption(
      '--identity <stream:key>',
      'an identity to split off, as "company show" prints it; repeatable',
      (text: string, identities: Identity[] = []): Identity[] => [...identities, identityOf(text)],
    )
    .requiredOption('--why <reason>', 'the reason; stored in the history of both')
    .action(async (ref: string, { identity: identities, why }: { identity: Identity[]; why: string }) => {
      const report = await withSession(({ world }) =>
        splitCompany(world, { company: ref, identities, reason: why, now: new Date(), by: aCommand }),
      )
      const owner = `${report.split_ref} (${report.answers_again ? 'active again' : 'new'})`
      const moved = `${namesOf(report.identities)}, ${counted(report.licenses, 'license')}`
      out.print({ json: report, text: `${moved} now belong to ${owner}` })
    })
  groupCommands(company, out)
  showCommand(company, out)
}

function duplicateCommands(company: Command, out: Out): void {
  company
    .command('duplicates')
    .description('List pairs of Companies that may be one party, and links whose evidence is gone.')
    .option('--limit <number>', 'the most pairs', '100')
    .action(async ({ limit }: { limit: string }) => {
      const max = wholeNumber('--limit', limit)
      const found = await withSession(({ world }) => listDuplicates(world, { limit: max }))
      const { candidates, lost_links: lost } = found
      const lines = [
        printTable(
          candidates.map(({ pair: [one, other], names, score, for: reasons, against }) => ({
            score,
            company: `${one} ${names[0] ?? '-'}`,
            other: `${other} ${names[1] ?? '-'}`,
            for: reasons.join(', '),
            against: against.join(', '),
          })),
        ),
        ...lost.map(
          ({ company_ref, identity, evidence, value, lost_at }) =>
            `${company_ref}: ${identity} was linked by ${evidence} ${value}, lost ${lost_at.toISOString()}`,
        ),
      ]
      out.print({ json: found, text: lines.join('\n') })
    })

  company
    .command('distinct <company> <other>')
    .description('Remember that two Companies are different parties. No sync links them again.')
    .requiredOption('--why <reason>', 'the reason; stored')
    .action(async (one: string, other: string, { why }: { why: string }) => {
      await withSession(({ world }) =>
        keepDistinct(world, { one, other, reason: why, now: new Date(), by: aCommand }),
      )
      out.print({ json: { pair: [one, other] }, text: `${one} and ${other} are different parties.` })
    })
}

function showCommand(company: Command, out: Out): void {
  company
    .command('show <company>')
    .description('Show the identities of a Company, its merges and splits.')
    .action(async (ref: string) => {
      const shown = await withSession(({ world }) => showCompany(world, ref))
      const {
        resolved_company_ref: resolved,
        ref_status: status,
        merged_refs,
        identities,
        groups,
        links,
        decisions,
      } = shown
      const lines = [
        `${ref}${status === 'merged' ? ` is merged into ${resolved}` : ''}  ${shown.company_name ?? '-'}`,
        ...merged_refs.filter(merged => merged !== ref).map(merged => `  ${merged} is merged into it`),
        printTable(
          identities.map(({ stream, identity_key, legal_entity, company_name, country, registration }) => {
            const identity = `${stream}:${identity_key}`
            return { identity, legal_entity: legal_entity ?? company_name, country, registration }
          }),
        ),
        ...groups.map(
          ({ name, source_url, stated_at }) => `${stated_at.toISOString()}  group ${name} (${source_url})`,
        ),
        ...links.map(
          ({ linked_at, stream, identity_key, evidence, value, with_stream, with_key, lost_at }) =>
            `${linked_at.toISOString()}  link ${stream}:${identity_key} to ${with_stream}:${with_key}: ` +
            `${evidence} ${value}${lost_at === null ? '' : ` (lost since ${lost_at.toISOString()})`}`,
        ),
        ...decisions.map(
          ({ kind, decided_at, from_ref, into_ref, identities: moved, reason }) =>
            `${decided_at.toISOString()}  ${kind} ${from_ref} → ${into_ref}: ${namesOf(moved)} (${reason})`,
        ),
      ]
      out.print({ json: shown, text: lines.join('\n') })
    })
}

/** Splits at the first colon, because a key may contain colons and a stream's name does not. */
function identityOf(text: string): Identity {
  const colon = text.indexOf(':')
  if (colon < 1 || colon === text.length - 1)
    throw new StaffError(`--identity must be stream:key, e.g. ukgc.licences:70001, not "${text}".`)
  return [text.slice(0, colon), text.slice(colon + 1)]
}

function namesOf(identities: readonly Identity[]): string {
  return identities.map(([stream, key]) => `${stream}:${key}`).join(', ')
}
