import type { KyselyPlugin } from 'kysely'

/** Kills this process with kill -9 at a moment: a number, or the name of the first one to die at. */
export function killingAt(moment: string) {
  const moments: string[] = []
  const pass = (where: string): void => {
    moments.push(where)
    if (moments.length === Number(moment) || where === moment) process.kill(process.pid, 'SIGKILL')
  }
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => {
      pass('before a statement')
      return node
    },
    transformResult: async ({ result }) => {
      pass('after a statement')
      return result
    },
  }
  return { moments, pass, plugin }
}
