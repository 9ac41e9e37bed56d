import { RELATIVE_WORDS } from '../../../graph/relatives.ts'
import type { Rule } from '../fact.ts'
import { DAY_RULES } from './days.ts'
import { PEOPLE_RULES } from './people.ts'
import { PLACE_RULES } from './places.ts'
import { PROJECT_RULES } from './projects.ts'
import { TASTE_RULES } from './tastes.ts'
import { WORK_RULES } from './work.ts'

export const FACT_RULES: readonly Rule[] = [...PEOPLE_RULES, ...WORK_RULES, ...PLACE_RULES, ...TASTE_RULES, ...DAY_RULES, ...PROJECT_RULES]

export const GATE = new RegExp(
  `\\b(?:(?:my|our) (?:[\\w-]+ ){0,4}?(?:${RELATIVE_WORDS}|name|e-?mail|number|github|twitter|instagram|telegram|slack|discord|mastodon|linkedin|anniversary|birthday|job|position|role|internship|employer|(?:all-time |absolute |personal |current )*favou?rite)|favou?rite|['’]s (?:[\\w-]+ ){0,2}?(?:e-?mail|mail address|number|anniversary)|is @\\w+|our (?:\\w+ ){0,2}anniversary|birthday|born|works?|worked|working|employed|job|founded|founder|co-?founded|customer|client|subscriber|building|contribut(?:e|es|ed)|called|named|titled|goes? by|us(?:e|es|ing)|switched|migrated|moved|moving|relocat(?:ed|ing)|replaced|swapped|decided|agreed|opted|chose|changed|lives?|lived|living|resides?|based in|from [A-Z]|prefers?|interested in|into|passionate|fascinated|obsessed|loves?|loved|enjoys?|fan|lover|enthusiast|hates?|dislikes?|stand|like|owns?|drives?|attended|graduated|studied|went to|scheduled|planned|booked|set|every|on (?:the )?\\d+(?:st|nd|rd|th)?|\\w+days|knows?|known|each other|married|engaged|dating|seeing|needs?|takes?|gets?|usually|typically|normally|generally|mostly|tends|daily|weekly|(?:once|twice) a|contacted|reached|still at|back at|of mine|(?:start(?:s|ed|ing)?|begins?|beginning|begun|began) (?:work(?:ing)? )?(?:at|with)|join(?:ed|ing)?|hired|left|quit|resigned|grew up|raised|reports?|allergic|engineer|developer|designer|manager|director|analyst|scientist|researcher|consultant|teacher|professor|nurse|doctor|lawyer|CEO|CTO|dogs?|cats?|pupp(?:y|ies)|kittens?|hamster|rabbit|bunny|parrot|horse|retriever|labrador|beagle|corgi|husky|terrier|poodle|collie)\\b`,
  'i',
)
