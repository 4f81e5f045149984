import { parseArgs } from 'node:util'

type Defaults = Record<string, number | boolean | string>
/** The options of a command. Each has the type of its default. */
type Options<Of extends Defaults> = {
  [Name in keyof Of]: Of[Name] extends number ? number : Of[Name] extends boolean ? boolean : string
}

/** Reads the command's options. Their defaults set their types: a number, a flag, or a text. */
export function readOptions<const Of extends Defaults>(defaults: Of): Options<Of> {
  const { values } = parseArgs({
    options: Object.fromEntries(
      Object.entries(defaults).map(([name, value]) => [
        name,
        typeof value === 'boolean' ? { type: 'boolean' as const } : { type: 'string' as const },
      ]),
    ),
  })
  const read = Object.entries(defaults).map(([name, value]) => {
    const given = values[name]
    if (given === undefined || typeof value !== 'number') return [name, given ?? value]
    if (Number.isNaN(Number(given))) throw new Error(`--${name} must be a number, not "${given}".`)
    return [name, Number(given)]
  })
  return Object.fromEntries(read)
}
