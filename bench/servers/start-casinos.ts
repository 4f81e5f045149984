import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

type SmallInternet = { environment: Record<string, string>; domains: string[] }

/** Starts the sites in a separate process, so that their work is not measured. */
export async function startCasinos(count: number): Promise<SmallInternet & { stop(): Promise<void> }> {
  const child = spawn(process.execPath, ['bench/servers/casinos.ts', String(count)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(createInterface({ input: child.stdout }), 'line')
  return {
    ...(JSON.parse(line) as SmallInternet),
    async stop() {
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}
