import { pathToFileURL } from 'node:url'

/**
 * Resolves the process's relative `--import` flags, so that threads and processes use its compile cache.
 * Cached code saves a thread 16 MB.
 */
export function importFlags(): string[] {
  const flag = '--import='
  return process.execArgv
    .filter(each => each.startsWith(`${flag}./`))
    .map(each => flag + pathToFileURL(each.slice(flag.length)).href)
}
