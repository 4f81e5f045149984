// Builds the package; `npm pack` runs this. dist/ is CommonJS, which `import` and `require` load as one
// module, so that a program has one class of each error. The code stays readable, for stack traces and
// debuggers; its comments are in the declarations, which editors show.
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'rolldown'

const here = fileURLToPath(new URL('.', import.meta.url))
const dist = join(here, 'dist')
const compiler = join(here, '../../node_modules/typescript-compiler/bin/tsc')

rmSync(dist, { recursive: true, force: true })
await bundle('src/index.ts', 'index.js')
await bundle('src/command/bin.ts', 'command.js')
execFileSync(process.execPath, [compiler, '-p', here, '--noEmit', 'false'], { stdio: 'inherit' })
writeFileSync(join(dist, 'package.json'), '{"type":"commonjs"}\n')

const needed = declarationsFrom('index')
for (const file of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
  if (file.endsWith('.d.ts') && !needed.has(file.slice(0, -'.d.ts'.length))) rmSync(join(dist, file))
}
rmSync(join(dist, 'command'), { recursive: true })

async function bundle(input: string, file: string): Promise<void> {
  const isCommand = file === 'command.js'
  await build({
    cwd: here,
    input,
    platform: 'node',
    transform: { target: 'node20' },
    // The command imports the client as other programs do, so the client is not bundled into it.
    external: id => isCommand && id.endsWith('../index.ts'),
    output: {
      file: join(dist, file),
      format: 'cjs',
      paths: id => (id.endsWith('index.ts') ? './index.js' : id),
      comments: false,
    },
    logLevel: 'warn',
  })
}

/**
 * Returns the declarations that this one needs. The compiler leaves `.ts` in imports of files that are
 * `.js` now, and indents by four blanks.
 */
function declarationsFrom(name: string, found = new Set<string>()): Set<string> {
  if (found.has(name)) return found
  found.add(name)
  const path = join(dist, `${name}.d.ts`)
  const text = readFileSync(path, 'utf8')
    .replaceAll(/(from '\.\/[\w-]+)\.ts'/g, "$1.js'")
    .replaceAll(/^(?: {4})+/gm, blanks => '\t'.repeat(blanks.length / 4))
  writeFileSync(path, text)
  for (const [, imported = ''] of text.matchAll(/from '\.\/([\w-]+)\.js'/g)) declarationsFrom(imported, found)
  return found
}
