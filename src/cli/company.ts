import type { Command } from 'commander'
import { StaffError } from '../core/staff-error.ts'
import { type Identity, mergeCompanies, showCompany, splitCompany } from '../features/companies/index.ts'
import { type Out, table } from './output.ts'
import { withSession } from './session.ts'

export function companyCommands(program: Command, out: Out): void {
  const company = program.command('company').description('Which of the parties that sources name are one.')

  company
    .command('merge <from> <into>')
    .description('Make one Company of two; the ref of the first keeps answering, with the second.')
    .requiredOption('--why <reason>', 'what you know of it; kept in the history of both')
    .action(async (from: string, into: string, { why }: { why: string }) => {
      const report = await withSession(({ world }) =>
        mergeCompanies(world, { from, into, reason: why, now: new Date() }),
      )
      const moved = `${namesOf(report.identities)}, ${report.licenses} licenses`
      out.print({
        json: report,
        text: `${report.merged_ref} now answers with ${report.company_ref}: ${moved}`,
      })
    })

  company
    .command('split <company>')
    .description('Take identities out of a Company: back to the one they were merged from, or to a new one.')
    .requiredOption(
      '--identity <stream:key>',
      'what leaves, as "company show" prints it; may be repeated',
      (text: string, identities: Identity[] = []): Identity[] => [...identities, identityOf(text)],
    )
    .requiredOption('--why <reason>', 'what you know of it; kept in the history of both')
    .action(async (ref: string, { identity: identities, why }: { identity: Identity[]; why: string }) => {
      const report = await withSession(({ world }) =>
        splitCompany(world, { company: ref, identities, reason: why, now: new Date() }),
      )
      const whose = `${report.split_ref}${report.answers_again ? ', which answers for itself again' : ', which is new'}`
      const moved = `${namesOf(report.identities)}, ${report.licenses} licenses`
      out.print({ json: report, text: `${moved} now belong to ${whose}` })
    })

  company
    .command('show <company>')
    .description('What each source says of a Company, and what was merged and split.')
    .action(async (ref: string) => {
      const shown = await withSession(({ world }) => showCompany(world, ref))
      const { resolved_company_ref: resolved, ref_status: status, merged_refs, identities, decisions } = shown
      const lines = [
        `${ref}${status === 'merged' ? ` was merged: ${resolved} answers` : ''}  ${shown.company_name ?? '-'}`,
        ...merged_refs.filter(merged => merged !== ref).map(merged => `  ${merged} leads here`),
        table(
          identities.map(({ stream, identity_key, legal_entity, company_name, country, registration }) => {
            const identity = `${stream}:${identity_key}`
            return { identity, legal_entity: legal_entity ?? company_name, country, registration }
          }),
        ),
        ...decisions.map(
          ({ kind, decided_at, from_ref, into_ref, identities: moved, reason }) =>
            `${decided_at.toISOString()}  ${kind} ${from_ref} → ${into_ref}: ${namesOf(moved)} (${reason})`,
        ),
      ]
      out.print({ json: shown, text: lines.join('\n') })
    })
}

/** A stream has no colon in its name; a key may have. */
function identityOf(text: string): Identity {
  const colon = text.indexOf(':')
  if (colon < 1 || colon === text.length - 1)
    throw new StaffError(`--identity takes stream:key, e.g. ukgc.licences:70001, not "${text}".`)
  return [text.slice(0, colon), text.slice(colon + 1)]
}

function namesOf(identities: readonly Identity[]): string {
  return identities.map(([stream, key]) => `${stream}:${key}`).join(', ')
}
