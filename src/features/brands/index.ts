export { applyBrandDomains } from './apply-brand-domains-store.ts'
export { readBrandDomains } from './brand-domains-store.ts'
export {
  approveBrandDomain,
  type BrandDomainReport,
  enterBrandDomain,
  removeBrandDomain,
  replayBrandDecision,
} from './enter-brand-domain.ts'
export { shipBrandDomains } from './ship-brand-domains.ts'
