import { nav } from './nav.js'
main.append(nav())
const { footer } = await import('./footer.js')
main.append(footer())
