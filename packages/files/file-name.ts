const nameLengthMax = 512
const segment = /^[A-Za-z0-9_-][A-Za-z0-9_.-]*$/

/** Names are generated, never user input. A name that could leave the store is a bug. */
export function requireFileName(name: string): string {
  const segments = name.split('/')
  if (name.length <= nameLengthMax && segments.every(each => segment.test(each))) return name
  throw new Error(`${JSON.stringify(name.slice(0, nameLengthMax))} is not a valid file name`)
}
