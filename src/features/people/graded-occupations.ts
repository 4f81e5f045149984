/** A rank within an occupation, not the leader of a function: `Lead Brand Designer`, `Head Gardener`. */
import { ownWord } from './remove-indirect-titles.ts'
import { sourceWithinPart } from './title-pattern.ts'

const occupations = [
  'analyst*|designer*|engineer|engineers|developer*',
  'programmer*|copywriter*|writer|editor|specialist*|executive',
  'coordinator|associate|researcher*|scientist*|strategist*|architect*|technologist*|consultant*|producer*',
  'artist*|illustrator*|animator*|photographer*|videographer*|planner|buyer|trainer|tester|recruiter|owner',
  'administrator*|technician*|economist*|accountant|expert|translator|chef',
  'analista|analytik*|analityk*|specjalist*|spezialist*|specialista|especialista|specialiste|ingenieur*',
  'ingegnere|ingeniero|engenheiro|inzynier|entwickler*|developpeur*|desarrollador*|programador*|vyvojar*',
  'utvecklare|utvikler|udvikler|sviluppatore|disenador*',
  'grafiker*|redakteur*|*designer|*entwickler|*ingenieur',
  'аналитик*|дизайнер*|разработчик*|инженер*|специалист*|аналітик*|розробник*|інженер*',
].join('|')

const crafts = [
  'gardener|greenkeeper|groundsman|groundskeeper|brewer|baker',
  'butcher|barber|stylist|sommelier|server|steward',
  'housekeeper|porter|concierge|lifeguard|librarian|pharmacist',
  'judge|referee|boy|girl|guard|driver|mechanic',
  'pastry chef|golf professional|sous chef|tutor|instructor|caretaker|therapist|physiotherapist',
].join('|')

const within = (words: string) => sourceWithinPart(`(${words})`)

/** `Chief Technologist` is an office: after `chief` another word comes first. */
export const gradedOccupations = new RegExp(
  [
    `${within('lead|head')}${ownWord}{0,3}?${within(occupations)}`,
    `${within('chief')}${ownWord}{1,3}?${within(occupations)}`,
    `${within('head')}${within(crafts)}`,
  ].join('|'),
  'g',
)
