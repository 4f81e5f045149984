/** Reads job titles in 18 languages: the roles, the seniority and the function that a title names. */
export { readTitle, type TitleReading } from './read-title.ts'
export { jobFunctions, type RoleKey, roleGlossary, roleKeys, seniorities } from './role-glossary.ts'
