import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { openFileStore } from '@baize/files'
import { counted } from '@baize/names'
import type { Out } from '@baize/terminal'
import { toFile, toStdout, type Write } from '@baize/terminal'
import type { Command } from 'commander'
import { readSettings } from '../config/settings.ts'
import { StaffError } from '../core/staff-error.ts'
import { dumpWorld, importFiles } from '../dataset/index.ts'
import { unreadable } from './read-argument.ts'
import { recordCommand } from './record-command.ts'
import { withSession } from './session.ts'

export function dataCommands(program: Command, out: Out): void {
  program
    .command('import <files...>')
    .description(
      'Import interchange files (NDJSON, or gzip if the name ends in .gz). Importing twice changes nothing.',
    )
    .option('--strict', 'import nothing if any line is bad (default)')
    .option('--skip-invalid', 'import the good lines and report the bad ones')
    .action(async (files: string[], options: { strict?: boolean; skipInvalid?: boolean }) => {
      if (options.strict && options.skipInvalid)
        throw new StaffError('Use either --strict or --skip-invalid.')
      await Promise.all(files.map(requireReadable))
      const mode = options.skipInvalid ? 'skip-invalid' : 'strict'
      const report = await withSession(async ({ world }) => {
        await recordCommand(world, 'import.started', null, { files, mode })
        return importFiles(world, files, {
          mode,
          files: openFileStore(readSettings().files),
          onProgress: ({ lines }) => out.progress(`${counted(lines, 'line')} read`),
        })
      })
      const lines = Object.entries(report.loaded).map(
        ([kind, { added, changed, unchanged, suppressed }]) =>
          `${kind}: ${added} added, ${changed} changed, ${unchanged} unchanged` +
          (suppressed === undefined ? '' : `, ${suppressed} suppressed`),
      )
      for (const { file, line, reason } of report.rejects) lines.push(`${file}:${line}: ${reason}`)
      if (report.rejected > report.rejects.length)
        lines.push(`… and ${counted(report.rejected - report.rejects.length, 'more bad line')}`)
      const nothingLoaded = report.rejected > 0 && mode === 'strict'
      if (nothingLoaded)
        lines.push('Nothing was imported. Correct the lines, or import the others with --skip-invalid.')
      out.print({ json: report, text: lines.join('\n'), failed: nothingLoaded })
    })

  program
    .command('dump')
    .description('Write all data in the interchange format. Not a backup.')
    .option('--out <file>', 'the file to write (default: stdout)')
    .action(async ({ out: file }: { out?: string }) => {
      const dump = (write: Write) => withSession(({ world }) => dumpWorld(world, line => write(`${line}\n`)))
      if (file === undefined) return toStdout(dump)
      const report = await toFile(file, dump)
      out.print({ json: report, text: `${counted(report.lines, 'line')} written to ${file}` })
    })
}

/** Checks the file before the database is opened. It may be a pipe. */
async function requireReadable(file: string): Promise<void> {
  const facts = await stat(file).catch(unreadable(file))
  if (facts.isDirectory()) throw new StaffError(`${file} is a folder, not a file.`)
  await access(file, constants.R_OK).catch(unreadable(file))
}
