import { terminalText } from '../core/terminal-text.ts'

/** A command's output: one JSON value, or lines without terminal control sequences. */
export type CommandResult = { json: unknown; text: string; failed?: boolean }

export type Out = {
  print(result: CommandResult): void
  progress(line: string): void
  /** Waits until everything is written. Fails if stdout refused it. */
  done(): Promise<{ failed: boolean }>
}

let writeError: NodeJS.ErrnoException | null = null

/** Without a listener an error of stdout or stderr ends Node with a stack. */
const listeners = {
  stdout: (error: NodeJS.ErrnoException) => {
    writeError ??= error
  },
  stderr: () => {},
}

/** With `--json` stdout has one JSON value only. Progress goes to stderr if it is a terminal. */
export function openOutput(asJson: boolean): Out {
  let failed = false
  writeError = null
  for (const name of ['stdout', 'stderr'] as const) {
    process[name].off('error', listeners[name]).on('error', listeners[name])
  }
  let progressShown = false
  const clear = () => {
    if (progressShown) process.stderr.write('\r\x1b[2K')
    progressShown = false
  }
  return {
    print(result) {
      clear()
      failed ||= result.failed ?? false
      process.stdout.write(`${asJson ? JSON.stringify(result.json) : terminalText(result.text)}\n`)
    },
    progress(line) {
      if (!process.stderr.isTTY) return
      process.stderr.write(`\r\x1b[2K${line}`)
      progressShown = true
    },
    async done() {
      clear()
      await new Promise<void>(written => process.stdout.write('', () => setImmediate(written)))
      // A reader such as `head` closed the pipe.
      if (writeError !== null && writeError.code !== 'EPIPE') throw writeError
      return { failed }
    },
  }
}

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

/** Untrusted text on one line. */
export const onOneLine = (text: string): string => terminalText(text).replaceAll('\n', ' ')
