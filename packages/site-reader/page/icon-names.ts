/** Reads the names of an element that a style sheet draws, from its class, attributes and label. */
const attributesOfMethods = [
  ...['data-method', 'data-payment', 'data-payment-method', 'data-payment-system', 'data-payment-name'],
  ...[
    'data-bank',
    'data-pay',
    'data-paymethod',
    'data-psp',
    'data-gateway',
    'data-wallet',
    'data-payment-type',
  ],
]
const classesMax = 20
const nameCharactersMax = 60
/** Elements that style sheets fill with a picture. */
const pictured = new Set(['span', 'i', 'li', 'div'])
const iconClass =
  /^(?:(?:payment|pay)[-_]?(?:icon|logo|method)|icon|ico|logo|payments?|pay|pm|fa-cc)[-_]{1,2}([a-z][a-z0-9_-]{1,39})$/i

/** Returns the payment methods that data attributes name. */
export const methodNames = (attributes: ReadonlyMap<string, string>): string[] =>
  attributesOfMethods.map(name => attributes.get(name) ?? '').filter(name => name !== '')

export function iconNames(tag: string, attributes: ReadonlyMap<string, string>): string[] {
  const names = attributesOfMethods.map(name => attributes.get(name) ?? '')
  if (pictured.has(tag)) {
    names.push(attributes.get('aria-label') ?? '', attributes.get('title') ?? '')
    const classes = (attributes.get('class') ?? '').split(/\s+/, classesMax)
    names.push(...classes.map(each => iconClass.exec(each)?.[1]?.replaceAll(/[-_]+/g, ' ') ?? ''))
  }
  return names.map(name => name.trim()).filter(name => name !== '' && name.length <= nameCharactersMax)
}

const lateStyles = ['data-bg', 'data-background', 'data-background-image', 'data-bg-src']
const styleCharactersMax = 1_000
const stylesMax = 4

/** Returns the pictures that an element's own style draws, and those of scripts that load them late. */
export function styledImages(attributes: ReadonlyMap<string, string>): string[] {
  const style = attributes.get('style')?.slice(0, styleCharactersMax) ?? ''
  const drawn = style.includes('url(') ? [...style.matchAll(/url\(\s*["']?([^"'()]{1,500})/gi)] : []
  const late = lateStyles.map(name => (attributes.get(name) ?? '').replace(/^url\(["']?|["']?\)$/g, ''))
  return [...drawn.slice(0, stylesMax).map(([, url = '']) => url.trim()), ...late].filter(
    url => url !== '' && !url.startsWith('data:'),
  )
}

/** Decodes an e-mail address that Cloudflare has hidden. The first byte is the key for the other bytes. */
export function decodeProtectedEmail(code: string): string | null {
  if (!/^(?:[0-9a-f]{2}){4,256}$/i.test(code)) return null
  const [key = 0, ...bytes] = Buffer.from(code, 'hex')
  return Buffer.from(bytes.map(byte => byte ^ key)).toString('utf8')
}
