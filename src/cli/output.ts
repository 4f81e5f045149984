import { terminalText } from '../core/terminal-text.ts'

/** What a command answers: one JSON value for machines, lines for people, which tell a terminal nothing of what strangers wrote. */
export type Told = { json: unknown; text: string; failed?: boolean }

export type Out = {
  tell(told: Told): void
  progress(line: string): void
  /** Once everything is written. Fails with what stdout could not take: that the command did its work is then told to nobody. */
  done(): Promise<{ failed: boolean }>
}

/** Unheard, an error of stdout or stderr would end Node with a stack; of what stderr cannot take nobody can be told. */
const ignore = () => {}

/** With `--json` stdout carries the one JSON value and nothing else; progress goes to a terminal's stderr. */
export function openOutput(asJson: boolean): Out {
  let failed = false
  let unwritten: NodeJS.ErrnoException | null = null
  const onError = (error: NodeJS.ErrnoException) => {
    unwritten ??= error
  }
  for (const stream of [process.stdout, process.stderr])
    if (!stream.listeners('error').includes(ignore)) stream.on('error', ignore)
  process.stdout.on('error', onError)
  let progressShown = false
  const clear = () => {
    if (progressShown) process.stderr.write('\r\x1b[2K')
    progressShown = false
  }
  return {
    tell(told) {
      clear()
      failed ||= told.failed ?? false
      process.stdout.write(`${asJson ? JSON.stringify(told.json) : terminalText(told.text)}\n`)
    },
    progress(line) {
      if (!process.stderr.isTTY) return
      process.stderr.write(`\r\x1b[2K${line}`)
      progressShown = true
    },
    async done() {
      clear()
      await new Promise<void>(written => process.stdout.write('', () => setImmediate(written)))
      process.stdout.off('error', onError)
      // Whoever reads, `head` for one, has read enough.
      if (unwritten !== null && unwritten.code !== 'EPIPE') throw unwritten
      return { failed }
    },
  }
}

/** Rows as columns of one width, for people. */
export function table(rows: readonly Record<string, unknown>[]): string {
  if (rows.length === 0) return '(none)'
  const names = Object.keys(rows[0] as object)
  const cells = [names, ...rows.map(row => names.map(name => cell(row[name])))]
  const widths = names.map((_, column) => Math.max(...cells.map(line => line[column]?.length ?? 0)))
  return cells
    .map(line =>
      line
        .map((text, column) => text.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return '-'
  if (value instanceof Date) return value.toISOString()
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  return onOneLine(text)
}

/** What strangers wrote, where it stands on a line with other things. */
export const onOneLine = (text: string): string => terminalText(text).replaceAll('\n', ' ')
