import type { OfficialFile } from '../stream.ts'

/** Returns the certificates that a description adds at the host of an address. */
export function extraCaAt(url: string, files: readonly OfficialFile[]): string | undefined {
  const { hostname } = new URL(url)
  return files.find(file => file.extraCa !== undefined && new URL(file.url).hostname === hostname)?.extraCa
}
