import { execFile } from 'node:child_process'
import { mkdir, stat, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createTestDirectory } from '../../../test/harness/directory.ts'

const run = promisify(execFile)
const folder = fileURLToPath(new URL('..', import.meta.url))

export type Installed = {
  /** The folder of a project that has only the package, installed from its tarball. */
  project: string
  packedBytes: number
  /** Writes a file of the project. */
  write(name: string, text: string): Promise<void>
  /**
   * Returns the output of a program in the project. The program gets these variables and those that it
   * needs to start.
   */
  output(env: Record<string, string>, program: string, ...args: string[]): Promise<string>
  /** Runs a program in a folder of the project. */
  outputIn(folder: string, env: Record<string, string>, program: string, args: string[]): Promise<string>
  remove(): Promise<void>
}

export async function installPackage(): Promise<Installed> {
  const directory = await createTestDirectory()
  const packed = await run('npm', ['pack', '--json', '--pack-destination', directory.path], { cwd: folder })
  const [{ filename }] = JSON.parse(packed.stdout.slice(packed.stdout.indexOf('[\n')))
  const tarball = join(directory.path, filename)
  const project = join(directory.path, 'project')
  await mkdir(project)
  const write = (name: string, text: string) => writeFile(join(project, name), text)
  await write('package.json', '{"type":"module"}')
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball], { cwd: project })
  const path = [join(project, 'node_modules/.bin'), process.env.PATH].join(delimiter)
  const outputIn: Installed['outputIn'] = async (inside, env, program, args) => {
    const cwd = join(project, inside)
    await mkdir(cwd, { recursive: true })
    const options = { cwd, env: { PATH: path, HOME: directory.path, ...env }, timeout: 60_000 }
    return (await run(program, args, options)).stdout
  }
  return {
    project,
    packedBytes: (await stat(tarball)).size,
    write,
    outputIn,
    output: (env, program, ...args) => outputIn('.', env, program, args),
    remove: () => directory.remove(),
  }
}
