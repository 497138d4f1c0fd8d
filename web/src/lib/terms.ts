// Words that games use as keys where no text file of theirs is asked: names of fields, states of counters, terrain, marks.
import { settings } from './settings.svelte';
import { humanize } from './words';

const TERMS: Record<string, readonly [en: string, de: string]> = {
  // fields of a choice
  accept: ['answer', 'Antwort'], against: ['target', 'Ziel'], aim: ['target', 'Ziel'], air: ['air support', 'Luftunterstützung'],
  aircraft: ['aircraft', 'Flugzeuge'], area: ['area', 'Gebiet'], army: ['army', 'Armee'], at: ['place', 'Ort'], atom: ['atomic bomb', 'Atombombe'],
  base: ['base', 'Basis'], bomber: ['bomber', 'Bomber'], card: ['card', 'Karte'], cargo: ['cargo', 'Ladung'], carrier: ['carrier', 'Träger'],
  carriers: ['carriers', 'Träger'], convoy: ['convoy', 'Geleitzug'], counter: ['counter', 'Marke'], country: ['country', 'Land'],
  dive: ['whether to dive', 'Tauchen'], dollars: ['dollars', 'Dollar'], fight: ['whether to fight', 'Kampf'], fleet: ['fleet', 'Flotte'],
  fleets: ['fleets', 'Flotten'], foe: ['enemy', 'Gegner'], force: ['force', 'Verband'], free: ['free', 'frei'], front: ['front', 'Front'],
  goal: ['destination', 'Ziel'], how: ['manner', 'Art'], hull: ['ship', 'Schiff'], into: ['receiver', 'Empfänger'], item: ['item', 'Sache'],
  kind: ['kind', 'Art'], launch: ['place of launch', 'Startort'], leader: ['leader', 'Befehlshaber'], lift: ['air transport', 'Lufttransport'],
  load: ['loading place', 'Ladeort'], marker: ['marker', 'Marker'], nation: ['nation', 'Nation'], naval: ['naval support', 'Seeunterstützung'],
  new: ['new army', 'neue Armee'], number: ['number', 'Anzahl'], on: ['target', 'Ziel'], origin: ['origin', 'Ausgangsort'],
  other: ['other counter', 'andere Marke'], paradrop: ['airborne troops', 'Fallschirmjäger'], path: ['way', 'Weg'], pay: ['payment', 'Zahlung'],
  points: ['points', 'Punkte'], port: ['port', 'Hafen'], power: ['power', 'Macht'], raider: ['raider', 'Kaperfahrer'], round: ['round', 'Runde'],
  route: ['route', 'Route'], sea: ['sea', 'Meer'], sf: ['special forces', 'Kommando'], ships: ['ships', 'Schiffe'], shots: ['shots', 'Schüsse'],
  side: ['side', 'Seite'], space: ['place', 'Ort'], special: ['special forces', 'Sonderverband'], strength: ['strength', 'Stärke'],
  table: ['table', 'Tabelle'], target: ['target', 'Ziel'], tech: ['technology', 'Technik'], terms: ['terms', 'Bedingungen'],
  to: ['destination', 'Ziel'], transport: ['transport', 'Transporter'], unit: ['unit', 'Einheit'], units: ['units', 'Einheiten'],
  via: ['way', 'Weg'], wanted: ['wish', 'Wunsch'], what: ['what', 'was'], zone: ['sea zone', 'Seezone'],
  // states of counters
  carried: ['carried', 'an Bord'], exhausted: ['exhausted', 'erschöpft'], grounded: ['grounded', 'am Boden'], hidden: ['hidden', 'verdeckt'],
  isolated: ['isolated', 'abgeschnitten'], landing: ['landing', 'bei der Landung'], moved: ['moved', 'gezogen'], 'on-mission': ['on a mission', 'im Einsatz'],
  'out-of-supply': ['out of supply', 'ohne Versorgung'], raiding: ['raiding', 'auf Kaperfahrt'], reduced: ['reduced', 'reduziert'],
  retreated: ['retreated', 'zurückgewichen'], surprised: ['surprised', 'überrascht'], 'in-port': ['in port', 'im Hafen'], 'at-sea': ['at sea', 'auf See'],
  raid: ['raiding', 'auf Kaperfahrt'],
  // terrain and marks
  clear: ['clear', 'offen'], desert: ['desert', 'Wüste'], forest: ['forest', 'Wald'], fortress: ['fortress', 'Festung'],
  impassable: ['impassable', 'unpassierbar'], marsh: ['marsh', 'Sumpf'], mountain: ['mountain', 'Gebirge'], rough: ['rough', 'Hügelland'],
  factory: ['factory', 'Fabrik'], oil: ['raw materials', 'Rohstoffe'], city: ['capital', 'Hauptstadt'],
  swamp: ['swamp', 'Sumpf'], battle: ['battle', 'Kampf'], damage: ['damage', 'Schaden'],
};

/** A key as people read it, in their language; one that nobody translated at least as words. */
export function term(key: string): string {
  const found = TERMS[key];
  return found ? found[settings.language === 'de' ? 1 : 0] : humanize(key).toLowerCase();
}
