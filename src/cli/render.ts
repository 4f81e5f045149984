import { type Out, onOneLine, printTable } from '@baize/terminal'
import type { Command } from 'commander'
import { readSettings } from '../config/settings.ts'
import { StaffError } from '../core/staff-error.ts'
import { openPageRenderer } from '../instance/open-page-renderer.ts'

const budget = { ms: 20_000, bytes: 15 * 1024 * 1024, requests: 60, waitMs: 0 }
const textCharactersShown = 2_000

export function renderCommands(program: Command, out: Out): void {
  program
    .command('render <url>')
    .description('Visit a page in Chromium as a check does, and print what was seen.')
    .option('--html', 'print the DOM')
    .action(async (url: string, { html }: { html?: boolean }) => {
      const renderer = openPageRenderer(readSettings())
      try {
        const seen = await renderer.render({ url, lane: 'check', seesEnd: true, budget })
        if (seen.reason === 'unavailable')
          throw new StaffError(`Pages are not rendered here: ${seen.message}.`)
        const { dom, requests, chain, status, reason, message, truncated, frames } = seen
        const text = (dom ?? '')
          .replaceAll(/<[^>]*>/g, ' ')
          .replaceAll(/\s+/g, ' ')
          .trim()
        const lines = [
          `${chain.join(' → ') || url}  ${status ?? '-'}${truncated ? '  cut by a limit' : ''}`,
          ...(reason === null ? [] : [`${reason}: ${message}`]),
          ...seen.consoleErrors.map(each => onOneLine(`console: ${each}`)),
          printTable(requests),
          ...frames.map(frame => `frame  ${frame.url}`),
          onOneLine(text.slice(0, textCharactersShown)),
        ]
        const { processes, killed } = await renderer.counts()
        out.print({ json: { ...seen, processes, killed }, text: html ? (dom ?? '') : lines.join('\n') })
      } finally {
        await renderer.close()
      }
    })
}
