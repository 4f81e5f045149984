import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { lstat, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findRunning } from '@baize/data-directory'
import { findCluster } from '@baize/embedded-postgres'
import { withoutPassword } from '@baize/postgres'
import { type Settings, setVariable } from '../../config/settings.ts'
import { StaffError } from '../../core/staff-error.ts'

/** This file in DATA_DIR has the DATABASE_URL of its last service, without the password. */
const externalFile = 'external-database'

/**
 * Has a file for each service of this user. The lock on its DATA_DIR shows whether the service still runs.
 */
const servicesDirectory = () => join(tmpdir(), `baize-services-${process.getuid?.() ?? 'user'}`)
const servicesMax = 100

type ServiceNote = { folder: string; dataDirectory: string }

/** Writes notes, by which a command without this service's variables recognises the service. */
export async function noteService({ dataDirectory, databaseUrl }: Settings): Promise<void> {
  const external = join(dataDirectory, externalFile)
  if (databaseUrl === null) await rm(external, { force: true })
  else await writeFile(external, `${withoutPassword(databaseUrl)}\n`, { mode: 0o600 })
  const note: ServiceNote = { folder: process.cwd(), dataDirectory }
  const name = createHash('sha256').update(dataDirectory).digest('hex').slice(0, 16)
  // A failure is ignored, because the note only helps commands.
  await mkdir(servicesDirectory(), { recursive: true, mode: 0o700 })
    .then(() => writeFile(join(servicesDirectory(), name), JSON.stringify(note), { mode: 0o600 }))
    .catch(() => {})
}

/** Refuses a command that would create an empty database because it lacks the variables of its service. */
export async function refuseStrayDatabase(settings: Settings): Promise<void> {
  const { dataDirectory, isDataDirectorySet } = settings
  if ((await findCluster(dataDirectory)) !== null) return
  const external = join(dataDirectory, externalFile)
  if (existsSync(external)) {
    const url = (await readFile(external, 'utf8')).trim()
    throw new StaffError(
      `The service of ${dataDirectory} used another database, and DATABASE_URL is not set. ` +
        `Set it, with its password: ${setVariable('DATABASE_URL', url)}. ` +
        `To create a new, empty database instead, delete ${external}.`,
    )
  }
  if (isDataDirectorySet) return
  for (const found of await servicesOf(process.cwd())) {
    const running = await findRunning(found).catch(() => null)
    if (running === null) continue
    const described = running.url === null ? 'does jobs' : `serves ${running.url}`
    throw new StaffError(
      `${dataDirectory} has no database, and process ${running.pid} of this folder, which ${described}, ` +
        `uses another DATA_DIR. Set it: ${setVariable('DATA_DIR', found)}. ` +
        `To create a new, empty database instead: ${setVariable('DATA_DIR', dataDirectory)}.`,
    )
  }
}

/** Returns the data directories of services that were started in a folder, even of stopped ones. */
async function servicesOf(folder: string): Promise<string[]> {
  const directory = servicesDirectory()
  const facts = await lstat(directory).catch(() => null)
  // Another user could have created the directory in a shared folder.
  if (!facts?.isDirectory() || (process.getuid !== undefined && facts.uid !== process.getuid())) return []
  const found: string[] = []
  for (const name of (await readdir(directory)).slice(0, servicesMax)) {
    const path = join(directory, name)
    const note = await readFile(path, 'utf8')
      .then(text => JSON.parse(text) as ServiceNote)
      .catch(() => null)
    if (note === null || !existsSync(note.dataDirectory)) await rm(path, { force: true })
    else if (note.folder === folder) found.push(note.dataDirectory)
  }
  return found
}
