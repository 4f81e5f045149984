import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import type { Command } from 'commander'
import { readSettings } from '../config/settings.ts'
import { StaffError } from '../core/staff-error.ts'
import { dumpWorld, importFiles } from '../dataset/index.ts'
import { openFileStore } from '../files/index.ts'
import type { Out } from './output.ts'
import { unreadable } from './read-argument.ts'
import { withSession } from './session.ts'
import { toFile, toStdout, type Write } from './write-text.ts'

export function dataCommands(program: Command, out: Out): void {
  program
    .command('import <files...>')
    .description('Load interchange files (NDJSON, gzip by the name); loading twice changes nothing.')
    .option('--strict', 'load nothing if any line is bad (the default)')
    .option('--skip-invalid', 'load the good lines and report the bad ones')
    .action(async (files: string[], options: { strict?: boolean; skipInvalid?: boolean }) => {
      if (options.strict && options.skipInvalid)
        throw new StaffError('--strict and --skip-invalid exclude each other.')
      await Promise.all(files.map(requireReadable))
      const mode = options.skipInvalid ? 'skip-invalid' : 'strict'
      const report = await withSession(({ world }) =>
        importFiles(world, files, {
          mode,
          files: openFileStore(readSettings().files),
          onProgress: ({ lines }) => out.progress(`${lines} lines read`),
        }),
      )
      const lines = Object.entries(report.loaded).map(
        ([kind, counts]) =>
          `${kind}: ${counts.added} added, ${counts.changed} changed, ${counts.unchanged} unchanged${counts.suppressed === undefined ? '' : `, ${counts.suppressed} suppressed`}`,
      )
      for (const { file, line, reason } of report.rejects) lines.push(`${file}:${line}: ${reason}`)
      if (report.rejected > report.rejects.length)
        lines.push(`… and ${report.rejected - report.rejects.length} more bad lines`)
      const nothingLoaded = report.rejected > 0 && mode === 'strict'
      if (nothingLoaded)
        lines.push('Nothing was loaded; mend the lines, or load the others with --skip-invalid.')
      out.print({ json: report, text: lines.join('\n'), failed: nothingLoaded })
    })

  program
    .command('dump')
    .description('Write everything that the interchange format carries; not a backup.')
    .option('--out <file>', 'where to; otherwise stdout')
    .action(async ({ out: file }: { out?: string }) => {
      const dump = (write: Write) => withSession(({ world }) => dumpWorld(world, line => write(`${line}\n`)))
      if (file === undefined) return toStdout(dump)
      const report = await toFile(file, dump)
      out.print({ json: report, text: `${report.lines} lines written to ${file}` })
    })
}

/** Told before a database is opened for it; a pipe can be read as well as a file. */
async function requireReadable(file: string): Promise<void> {
  const facts = await stat(file).catch(unreadable(file))
  if (facts.isDirectory()) throw new StaffError(`${file}: that is a folder, not a file`)
  await access(file, constants.R_OK).catch(unreadable(file))
}
