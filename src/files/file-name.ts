const nameLengthMax = 512
const segment = /^[A-Za-z0-9_-][A-Za-z0-9_.-]*$/

/** Names are made by us, never by strangers; one that could lead out of the store is a fault of ours. */
export function requireFileName(name: string): string {
  const segments = name.split('/')
  if (name.length <= nameLengthMax && segments.every(each => segment.test(each))) return name
  throw new Error(`${JSON.stringify(name.slice(0, nameLengthMax))} is no name of a stored file`)
}
