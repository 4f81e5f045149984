import { terminalText } from '@baize/names'

/** The output of a command: one JSON value, or lines without terminal control sequences. */
export type CommandResult = { json: unknown; text: string; failed?: boolean }

export type Out = {
  print(result: CommandResult): void
  progress(line: string): void
  /** Waits until everything is written. Fails if stdout refused a part. */
  done(): Promise<{ failed: boolean }>
}

let writeError: NodeJS.ErrnoException | null = null

/** Without these listeners an error of stdout or stderr would end Node with a stack trace. */
const listeners = {
  stdout: (error: NodeJS.ErrnoException) => {
    writeError ??= error
  },
  stderr: () => {},
}

/** Writes one JSON value to stdout only with `--json`. Progress goes to stderr if it is a terminal. */
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
      // EPIPE means that a reader such as `head` closed the pipe.
      if (writeError !== null && writeError.code !== 'EPIPE') throw writeError
      return { failed }
    },
  }
}

/** Formats rows with the given columns; by default with all members of the first row. */
export function printTable(
  rows: readonly Record<string, unknown>[],
  names: readonly string[] = Object.keys(rows[0] ?? {}),
): string {
  if (rows.length === 0) return '(none)'
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

/** Makes untrusted text safe for a terminal and puts it on one line. */
export const onOneLine = (text: string): string => terminalText(text).replaceAll('\n', ' ')
