import { type Device, seeLobby } from '@baize/lobby-reader/see'
import { type Out, printTable } from '@baize/terminal'
import type { Command } from 'commander'
import { readSettings } from '../config/settings.ts'
import { StaffError } from '../core/staff-error.ts'
import { canonicalDomain } from '../features/inputs.ts'
import { openPageRenderer } from '../instance/open-page-renderer.ts'

export function lobbyCommands(program: Command, out: Out): void {
  program
    .command('lobby <domain>')
    .description('See the lobby of a casino in Chromium, and print its games. Stores and charges nothing.')
    .option('--url <url>', 'the page of the lobby, instead of searching it from the root')
    .option('--mobile', 'as a phone shows it')
    .action(async (domain: string, { url, mobile }: { url?: string; mobile?: boolean }) => {
      const renderer = openPageRenderer(readSettings())
      try {
        const device: Device = mobile ? 'mobile' : 'desktop'
        const ask = { domain: canonicalDomain(domain), url: url ?? null, device }
        const seen = await seeLobby(ask, request => renderer.render(request), new AbortController().signal)
        const { state, message } = renderer.state()
        if (state !== 'on') throw new StaffError(`Pages are not rendered here: ${message}.`)
        const { status, reason, finalUrl, lobby } = seen
        const rows = (lobby?.games ?? []).map(({ section, position, title, supplierSlug, match }) => ({
          section: lobby?.sections[section]?.name ?? '',
          position,
          title,
          supplier: supplierSlug ?? '',
          match,
        }))
        const lines = [
          `${status} ${reason ?? ''} ${finalUrl ?? ''}`,
          ...(rows.length > 0 ? [printTable(rows)] : []),
        ]
        out.print({ json: seen, text: lines.join('\n') })
      } finally {
        await renderer.close()
      }
    })
}
