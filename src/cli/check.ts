import { openFileStore } from '@baize/files'
import { counted, readDomain } from '@baize/names'
import { type Out, onOneLine, printTable } from '@baize/terminal'
import type { Command } from 'commander'
import { readSettings } from '../config/settings.ts'
import { StaffError } from '../core/staff-error.ts'
import { type ExplainedProfile, explainLaunchProfile } from '../features/domains/index.ts'
import { startBackgroundCheck } from '../features/enrichments/index.ts'
import { openPageRenderer } from '../instance/open-page-renderer.ts'
import { lookSettingsOf } from '../instance/tasks/check-tasks.ts'
import {
  findingsOfCheck,
  listCaptures,
  listRules,
  openLookTools,
  rereadChecks,
  runCheck,
  type ShownFinding,
} from '../observation/index.ts'
import { recordCommand } from './record-command.ts'
import { withSession } from './session.ts'

export function checkCommands(program: Command, out: Out): void {
  program
    .command('check <domain>')
    .description('Check a site now, and explain what was received and what was read from it.')
    .action(async (text: string) => {
      const reading = readDomain(text)
      if (!reading.ok) throw new StaffError(`"${text}" is not a domain.`)
      const shown = await checkSite(reading.domain)
      const { domain, outcome, reason, captures, findings, launch_profile } = shown
      const lines = [
        `${domain}  ${outcome}${reason === null ? '' : `: ${reason}`}`,
        printTable(captures),
        '',
        ...findings.flatMap(explained),
        '',
        ...profileLines(launch_profile),
      ]
      out.print({ json: shown, text: lines.join('\n') })
    })

  const observation = program.command('observation').description('Rules that read the pages of sites.')

  observation
    .command('rules')
    .description('List the rules and their values.')
    .action(() => {
      const listed = listRules()
      out.print({ json: listed, text: `${printTable(listed)}\n${listed.length} rules` })
    })

  observation
    .command('reread')
    .description("Read stored captures again with today's rules. Findings keep the dates of their captures.")
    .action(async () => {
      const files = openFileStore(readSettings().files)
      const report = await withSession(async ({ world }) => {
        await recordCommand(world, 'observation.reread_started', null)
        return rereadChecks(world, files, {
          now: () => new Date(),
          onProgress: reread => out.progress(counted(reread, 'check')),
        })
      })
      const missing = report.unreadable > 0 ? `; of ${report.unreadable} a capture is missing` : ''
      out.print({
        json: report,
        text: `${counted(report.reread, 'check was', 'checks were')} read again${missing}`,
      })
    })
}

async function checkSite(domain: string) {
  const settings = readSettings()
  const now = () => new Date()
  return withSession(async ({ world }) => {
    const { database } = world
    const started = await database
      .transaction()
      .execute(tx => startBackgroundCheck(tx, { domain, askedBy: 'staff', now: now() }))
    if (started === null) throw new StaffError(`${domain} is being checked already. Try again in a minute.`)
    const { checkId } = started
    await recordCommand(world, 'site.check_started', domain)
    await using renderer = openPageRenderer(settings)
    const look = lookSettingsOf(settings, { now, refreshes: false, renderer })
    const openTools = (signal: AbortSignal) => openLookTools(look, { database, now, signal })
    const files = openFileStore(settings.files)
    const { userAgent } = look
    const { signal } = new AbortController()
    const report = await runCheck(checkId, { world, files, openTools, userAgent, now, signal })
    return {
      domain,
      outcome: report?.outcome.outcome ?? null,
      reason: report?.outcome.reason ?? null,
      captures: await listCaptures(database, checkId),
      findings: await findingsOfCheck(database, checkId),
      launch_profile: await explainLaunchProfile(database, domain),
    }
  })
}

function explained({ section, value, rule, strength, url, is_rendered, snippet }: ShownFinding): string[] {
  const from = url === null ? '' : `, on ${url}${is_rendered ? ', rendered' : ''}`
  const why = `${rule}, strength ${strength}${from}`
  return [
    onOneLine(`${section}  ${JSON.stringify(value)}`),
    onOneLine(`    by ${why}`),
    ...(snippet === null ? [] : [onOneLine(`    “${snippet}”`)]),
  ]
}

function profileLines({ availability, reason, claims, quality, coverage }: ExplainedProfile): string[] {
  const missing = coverage.filter(({ status }) => status === 'not_available').map(each => each.component)
  return [
    `operator launch profile  ${availability}${reason === null ? '' : `: ${reason}`}`,
    ...(availability === 'available' && missing.length > 0 ? [`    without ${missing.join(', ')}`] : []),
    ...(quality.warnings.length > 0 ? [`    warnings: ${quality.warnings.join(', ')}`] : []),
    ...claims.map(({ claim_type, claimed_name, license_number, match, why }) => {
      const number = license_number === null ? '' : `, ${license_number}`
      return onOneLine(`    ${claim_type} ${claimed_name}${number}  ${match.status}: ${why}`)
    }),
  ]
}
