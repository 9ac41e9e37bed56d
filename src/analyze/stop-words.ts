const list = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/).filter((word) => word !== ''))

const ENGLISH = list(`
a about above absolutely across actually add added adding adds after afterwards again against ago ah all allow allowed allowing allows
almost along already alright also although always am amazing among an and another any anybody anymore anyone anything anyway anywhere apart
apparently appear appears apply applied applies applying appreciate are aren't around as ask asked asking asks aside at available away awesome
aware b back bad badly based basically be became because become becomes becoming been before began begin beginning behind being believe
below beside besides best better between beyond big bigger bit both bring brings brought but by bye c call called calling calls came can
can't cannot care careful carefully cause caused causes causing certain certainly cheap check checked checking checks choose chose clear
clearly close come comes coming common compare compared completely concern consider considered considering contain contained contains
continue correct correctly could couldn't couple course create created creates creating currently d daily day days decide decided decides
deciding decision deep default definitely depend depending depends describe described despite did didn't different differently directly do does
doesn't doing don't done double down due during e each earlier early easier easily easy edit eight either else elsewhere end ended ending
ends enough ensure ensures entire entirely especially essentially etc even eventually ever every everybody everyone everything everywhere
evening exact exactly excellent except exist existing exists expect expected expects explain explained explains explicitly extra
extremely f fact fair fairly fall far fast faster favorite feel feels felt few fewer figure fill final finally find finding finds fine finish finished
first firstly five fix fixed fixes fixing follow followed following follows for forget found four frankly free frequently fresh friday from full fully
further g gave generally get gets getting girl give given gives giving glad go goes going gone gonna good got gotcha gotten great
greatly guess guy guys h had hadn't half happen happened happening happens happy hard hardly has hasn't have haven't having he he's hear heard
hello help helped helpful helping helps hence her here here's hers herself hey hi high higher highly him himself his hold honest honestly hope hopefully
hour hours how how's however hundred i i'd i'll i'm i've idea if immediately important in include included includes including
indeed inside instance instead interested interesting into involve involved involves is isn't it it'd it'll it's its itself j
just k keep keeping keeps kept kind kinda kinds knew know knowing known knows l large larger largest last lastly late lately later
latest latter lead leads learn learned least leave leaves leaving led left less let let's lets letting like liked likely likes little
live ll long longer look looked looking looks lot lots loud love loved lovely low lower lowest m made mainly make makes making man
many match matched matches matter maximum may maybe me mean means meant meanwhile men mention mentioned mentions mere merely might mind
mine minimum minute minutes miss missed missing mm moment monday month monthly months more moreover morning most mostly move moved moving much
multiple must mustn't my myself n named namely near nearly necessarily necessary need needed needing needs neither never
nevertheless new newer newest next nice night nine no nobody non none nope nor normal normally not noted nothing notice noticed now
nowhere o obvious obviously occur occurred occurs of off offer offered often oh ok okay old older on once one ones only onto
open opened opens or order ordinary original other others otherwise ought our ours ourselves out outside over overall own p particular particularly past
pay per perfect perfectly perform performed performs perhaps personally pick piece place placed places plain plan planned planning plans play please plenty plus
point points possible possibly prefer prefers present presumably pretty prevent prevents previous previously probable probably proceed
proper properly provide provided provides providing pull push put puts putting q question questions quick quickly quiet
quite r rather re reach read reading reads ready real really reason reasonable reasonably reasons receive received recent recently regarding regardless
relate related relatively remain remaining remains remember remove removed removes removing replace replaced replacing reply represent require required requires
respect respectively rest return returned returns right roughly round run running runs s safe safely said same sat saturday saw say saying says
second secondly seconds see seeing seem seemed seems seen select selected send sending sends sense sent separate separately serious
seriously set sets setting seven several shall shan't she she's short should shouldn't show showed showing shown shows side significant
significantly similar similarly simple simpler simply since six size slight slightly slow slowly small smaller smallest so solid some
somebody someday somehow someone something sometime sometimes somewhat somewhere soon sorry sort sorts sound sounds specific
specifically specified specify split stand start started starting starts state stated stay step steps still stop stopped stops straight strong stuff
subsequent subsequently such suddenly suggest suggested suggests suitable sunday super suppose supposed sure t take taken takes taking talk talked talking
tell telling tells ten tend tends than thank thanks that that's thats the their theirs them themselves then there there's thereby
therefore these they they'd they'll they're they've thing things think thinking thinks third this thorough thoroughly those though thought
thousand three through throughout thursday thus time times to today together told tomorrow tonight too took top total totally toward towards treat tried
tries true truly try trying tuesday turn turned turns twelve twenty twice two typical typically u unable under understand understood
unfortunately unless unlike unlikely until unto up upon us use used useful uses using usual usually v various ve verify verified very via w wait waiting walk want
wanted wanting wants was wasn't watch way ways we we'd we'll we're we've wednesday week weekend weekly weeks welcome well went were weren't what what's whatever
when whenever where where's whereas wherever whether which while who who's whoever whole whom whose why wide will willing win wish with
within without woman women won won't wonder wonderful word words work worked working works worry worse worst worth would wouldn't wow write writes
writing written wrong wrote x y yeah year yearly years yep yes yesterday yet you you'd you'll you're you've young your yours yourself
yourselves yup z zero lol haha hmm okay thx pls btw imo idk asap fyi redacted user assistant http https www com org html
update updated updates updating change changed changes changing let'll gotta wanna able accord according fail fails failed failing rotate refactor refactored refactoring
nil err uhh loc dup ver tmp foo baz qux cmd args opts ctx implement implemented bake cook discuss discussed discussing discussion define defined handle handled
`)

const OTHER_LANGUAGES = list(`
aber als auch auf aus bei bin bis bitte brauche brauchen da dann das dass dein dem den der des dich die diese dieser dieses dir doch du ein eine einem einen einer eines er es
euch fur für gibt habe haben hat ich ihr ihre im ist ja jetzt kann kannst kein keine können machen man mein meine mich mir mit muss müssen nach nicht noch nur oder ob ohne schon sehr
sein seine sich sie sind sollen soll über um und uns unser von vor war warum was weil welche welcher welches wenn werden wie wieder wir wird wo zu zum zur fällig danke
au aux avec ce ces cette comme dans de des du elle est et être eux faire il ils je la le les leur lui mais mes moi mon ne nous ou où par pas plus pour pourquoi qu que qui sa
sans ses si son sont sur ta te tes toi ton tous tout tu un une vos votre vous merci bonjour faut peut très aussi
al algo como con cual cuando del desde donde el ella ellos en entre era eres esta está este esto estos fue hay la las lo los más mi mis muy nos nosotros para pero por porque puede que qué
quien se ser si sí sin sobre su sus también te tiene todo tu tus un una unas uno unos usted ya yo gracias hola
che chi ci come cosa da degli dei del della delle di dove e gli ha hai ho il io la le lei lo loro ma mi mio ne nei nel nella no noi non o per perché più quando quello questa questo se sei si sono su sul
ti tra tu una uno vi voi grazie ciao ao aos as às até com da das do dos ela ele em essa esse eu foi isso isto já mais mas me meu minha muito na nas não no nos nós o os ou pela pelo
por qual quem seu sua são também tem um uma você obrigado aan al als bij dat de die dit een en er het hij hoe ik in is je kan maar met mijn naar niet nog of om onze ook op te tot uit van veel voor waar
was wat we wel wij wordt ze zijn zo dank
`)

export const STOP_WORDS: ReadonlySet<string> = new Set([...ENGLISH, ...OTHER_LANGUAGES])

/** Too general alone, but allowed beside a better word. */
export const WEAK_WORDS = list(`
access account action actions amount answer answers approach area argument arguments array aspect attempt base basis behavior behaviour block blocks board body book box branch
bug bugs button case cases chance character check choice class classes code column columns command commands comment comments component components
condition config configuration content context copy count data date detail details difference directory document documents effect element
entry environment error errors event events example examples feature features field fields file filename files folder form format function functions goal group groups
head id ids image implementation improvement info information input instance issue issues item items key keys keyword kind level library limit line lines link links list lists local
location log logic logs loop main message messages method methods mode model module modules name names note notes number numbers object
objects one option options output outputs package page pages pair paragraph parameter parameters part parts path paths pattern people person piece plan point position possibility post process
program progress project projects property prompt public purpose quality range rate recommendation record records reference report request requests research resource response
result results role root row rows rule rules sample scope script section self sentence series server service session sign single situation solution source space
standard statement status string strings structure style subject suggestion summary support system systems table tables tag tags target task tasks team term test tests text
title token tokens tool tools topic topics type types usage users value values variable variables version view volume warning warnings world build builds folder line
everything stuff lots change call return local global current private static const null undefined true false async await import export default var def self print job jobs january february march april june july august september october november december
`)

export const NOT_PLURAL = list(`
kubernetes postgres redis windows settings news series aws ios macos analysis basis status class process access business address
canvas bonus campus corpus focus virus census chaos atlas christmas gas bus plus lens always https css js dns tls
mathematics physics economics politics analytics metrics graphics logistics sales goods species means headquarters physics thanks
kudos pandas jenkins texas paris james thomas charles diabetes express nexus consensus apparatus
`)
