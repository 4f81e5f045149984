export {
  decideName,
  listDoubtfulNames,
  type NameReport,
  replayPersonNames,
  suppressEverywhere,
} from './decide-name.ts'
export { openPersonNames } from './person-names.ts'
