import { hasPassword, withoutPassword } from '@baize/postgres'
import { filesUrlOf, isDefaultDataDirectory, type Settings, setVariable } from '../config/settings.ts'

/** Returns lines for a shell whose commands would otherwise use another database, or other files. */
export function commandVariables({ dataDirectory, databaseUrl, files }: Settings): string[] {
  const lines: string[] = []
  if (!isDefaultDataDirectory(dataDirectory)) lines.push(setVariable('DATA_DIR', dataDirectory))
  if (databaseUrl !== null) {
    const note = hasPassword(databaseUrl) ? '  # add the password, or set PGPASSWORD' : ''
    lines.push(`${setVariable('DATABASE_URL', withoutPassword(databaseUrl))}${note}`)
  }
  const filesUrl = filesUrlOf(files, dataDirectory)
  if (filesUrl !== null) lines.push(setVariable('FILES_URL', filesUrl))
  return lines
}
