<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de" sourcelanguage="en">
<context>
    <name>Phrase</name>
    <message>
        <source>complete</source>
        <translation>vollständig</translation>
    </message>
    <message>
        <source>broken off</source>
        <translation>abgebrochen</translation>
    </message>
    <message>
        <source>broken off, can be resumed</source>
        <translation>abgebrochen, lässt sich fortsetzen</translation>
    </message>
    <message>
        <source>Simulated, by a profile</source>
        <translation>Simuliert, nach einem Profil</translation>
    </message>
    <message>
        <source>Simulated, bit error ratio %1</source>
        <translation>Simuliert, Bitfehlerrate %1</translation>
    </message>
    <message>
        <source>your answer</source>
        <translation>Ihre Antwort</translation>
    </message>
    <message>
        <source>node %1 at %2</source>
        <translation>Knoten %1 an %2</translation>
    </message>
    <message>
        <source>the call is there again; the run continues</source>
        <translation>der Anruf ist wieder da; der Messlauf geht weiter</translation>
    </message>
    <message>
        <source>the run waits: %1</source>
        <translation>der Messlauf wartet: %1</translation>
    </message>
    <message>
        <source>repeats</source>
        <translation>Wiederholungen</translation>
    </message>
    <message>
        <source>profile</source>
        <translation>Profil</translation>
    </message>
    <message>
        <source>corpus</source>
        <translation>Korpus</translation>
    </message>
    <message>
        <source>times and level of the line</source>
        <translation>Zeiten und Pegel der Leitung</translation>
    </message>
    <message>
        <source>duplex</source>
        <translation>Duplex</translation>
    </message>
    <message>
        <source>redial</source>
        <translation>Wiederwahl</translation>
    </message>
    <message>
        <source>precision</source>
        <translation>Genauigkeit</translation>
    </message>
    <message>
        <source>store</source>
        <translation>Ablage</translation>
    </message>
    <message>
        <source>keep</source>
        <translation>Aufbewahrung</translation>
    </message>
    <message>
        <source>hooks</source>
        <translation>Hooks</translation>
    </message>
    <message>
        <source>excellent</source>
        <translation>ausgezeichnet</translation>
    </message>
    <message>
        <source>good</source>
        <translation>gut</translation>
    </message>
    <message>
        <source>fair</source>
        <translation>ordentlich</translation>
    </message>
    <message>
        <source>poor</source>
        <translation>dürftig</translation>
    </message>
    <message>
        <source>bad</source>
        <translation>schlecht</translation>
    </message>
    <message>
        <source>loss</source>
        <translation>Verlust</translation>
    </message>
    <message>
        <source>noise</source>
        <translation>Geräusch</translation>
    </message>
    <message>
        <source>band loss</source>
        <translation>Bandverlust</translation>
    </message>
    <message>
        <source>clipping</source>
        <translation>Übersteuerung</translation>
    </message>
    <message>
        <source>coding</source>
        <translation>Codierung</translation>
    </message>
    <message>
        <source>level</source>
        <translation>Pegel</translation>
    </message>
    <message>
        <source>delay variation</source>
        <translation>Laufzeitschwankung</translation>
    </message>
    <message>
        <source>cut</source>
        <translation>Abschneiden</translation>
    </message>
    <message>
        <source>no measurement could be scored</source>
        <translation>keine Messung konnte bewertet werden</translation>
    </message>
    <message>
        <source>%1 most of the time: %2; it breaks down at times: %3</source>
        <translation>meist %1: %2; zeitweise bricht sie ein: %3</translation>
    </message>
    <message>
        <source>excellent: %1</source>
        <translation>ausgezeichnet: %1</translation>
    </message>
    <message>
        <source>good: %1</source>
        <translation>gut: %1</translation>
    </message>
    <message>
        <source>fair: %1</source>
        <translation>ordentlich: %1</translation>
    </message>
    <message>
        <source>poor: %1</source>
        <translation>dürftig: %1</translation>
    </message>
    <message>
        <source>bad: %1</source>
        <translation>schlecht: %1</translation>
    </message>
    <message>
        <source>%1, with %2 and %3</source>
        <translation>%1, mit %2 und %3</translation>
    </message>
    <message>
        <source>%1, with %2</source>
        <translation>%1, mit %2</translation>
    </message>
    <message>
        <source>%1; %2</source>
        <translation>%1; %2</translation>
    </message>
    <message>
        <source>occasional %1</source>
        <translation>gelegentlich %1</translation>
    </message>
    <message>
        <source>frequent %1</source>
        <translation>häufig %1</translation>
    </message>
    <message>
        <source>gaps in words</source>
        <translation>Lücken in Wörtern</translation>
    </message>
    <message>
        <source>spoilt parts of words</source>
        <translation>verdorbene Teile von Wörtern</translation>
    </message>
    <message>
        <source>dull or thin sound</source>
        <translation>dumpfem oder dünnem Klang</translation>
    </message>
    <message>
        <source>distorted loud parts</source>
        <translation>verzerrten lauten Stellen</translation>
    </message>
    <message>
        <source>clicks or rough speech</source>
        <translation>Knacken oder rauer Sprache</translation>
    </message>
    <message>
        <source>changes of level</source>
        <translation>Pegelsprüngen</translation>
    </message>
    <message>
        <source>jumps of the delay</source>
        <translation>Laufzeitsprüngen</translation>
    </message>
    <message>
        <source>beginnings or ends cut off</source>
        <translation>abgeschnittenen Anfängen oder Enden</translation>
    </message>
    <message>
        <source>speech as clear as the original</source>
        <translation>Sprache so klar wie das Original</translation>
    </message>
    <message>
        <source>clear speech</source>
        <translation>klare Sprache</translation>
    </message>
    <message>
        <source>speech understood despite audible faults</source>
        <translation>Sprache trotz hörbarer Mängel verständlich</translation>
    </message>
    <message>
        <source>speech understood with effort</source>
        <translation>Sprache mit Mühe verständlich</translation>
    </message>
    <message>
        <source>speech hard to understand</source>
        <translation>Sprache schwer verständlich</translation>
    </message>
    <message>
        <source>once</source>
        <translation>einmal</translation>
    </message>
    <message>
        <source>%1 times</source>
        <translation>%1-mal</translation>
    </message>
    <message>
        <source>the call or an end was lost %1</source>
        <translation>der Anruf oder ein Ende ging %1 verloren</translation>
    </message>
    <message>
        <source>%1 of %2 measurements score %3 on average (%4)</source>
        <translation>%1 von %2 Messungen werden im Mittel mit %3 bewertet (%4)</translation>
    </message>
    <message>
        <source>no impairment was found in the recordings: listen to some of them, and check the equipment at both ends</source>
        <translation>in den Aufnahmen wurde keine Störung gefunden: hören Sie einige an, und prüfen Sie die Geräte an beiden Enden</translation>
    </message>
    <message>
        <source>no impairment that is named explains about %1 MOS of the loss: listen to some of the recordings, and check the equipment at both ends</source>
        <translation>etwa %1 MOS des Verlusts erklärt keine der genannten Störungen: hören Sie einige der Aufnahmen an, und prüfen Sie die Geräte an beiden Enden</translation>
    </message>
    <message>
        <source>%1 (costs about %2 MOS)</source>
        <translation>%1 (kostet etwa %2 MOS)</translation>
    </message>
    <message>
        <source>speech is lost or muted; look for packet loss, handovers and gates</source>
        <translation>Sprache geht verloren oder ist stumm; suchen Sie nach Paketverlust, Umschaltungen und Sprachschaltern</translation>
    </message>
    <message>
        <source>short parts of the speech are replaced by other sound; look for bursts of bit errors and concealed packet loss</source>
        <translation>kurze Teile der Sprache sind durch anderes ersetzt; suchen Sie nach Bündeln von Bitfehlern und verdecktem Paketverlust</translation>
    </message>
    <message>
        <source>noise is added; look for induction, a bad contact or a loud room</source>
        <translation>Geräusch kommt hinzu; suchen Sie nach Einstreuung, schlechtem Kontakt oder einem lauten Raum</translation>
    </message>
    <message>
        <source>the band is cut; look for filters, loading coils and a narrow codec</source>
        <translation>das Band ist beschnitten; suchen Sie nach Filtern, Pupinspulen und einem schmalen Codec</translation>
    </message>
    <message>
        <source>peaks are clipped; look for a gain that is too high</source>
        <translation>Spitzen sind gekappt; suchen Sie nach einer zu hohen Verstärkung</translation>
    </message>
    <message>
        <source>a coder or bit errors; look at the codec and the BER (G.711 alone costs 0 to 0.9 MOS)</source>
        <translation>ein Codec oder Bitfehler; prüfen Sie Codec und Bitfehlerrate (G.711 allein kostet 0 bis 0,9 MOS)</translation>
    </message>
    <message>
        <source>the level moves; look for automatic gain control and switched gains</source>
        <translation>der Pegel schwankt; suchen Sie nach automatischer Verstärkungsregelung und geschalteten Verstärkungen</translation>
    </message>
    <message>
        <source>the delay changes; look for jitter, clocks that differ and the play-out buffer</source>
        <translation>die Laufzeit ändert sich während der Sprache; prüfen Sie Jitter, ungleiche Takte und Abspielpuffer</translation>
    </message>
    <message>
        <source>the beginning or the end is cut off; look for voice switching and call set-up</source>
        <translation>Anfang oder Ende ist abgeschnitten; prüfen Sie Sprachschalter und Verbindungsaufbau</translation>
    </message>
    <message>
        <source>conditional: %1</source>
        <translation>bedingt: %1</translation>
    </message>
    <message>
        <source>conditional: %1; with those at the bottom of the scale the mean would be %2</source>
        <translation>bedingt: %1; mit ihnen am Ende der Skala wäre der Mittelwert %2</translation>
    </message>
    <message>
        <source>conditional: %1; with the unscored ones at the bottom of the scale the mean would be %2</source>
        <translation>bedingt: %1; mit den unbewerteten am Ende der Skala wäre der Mittelwert %2</translation>
    </message>
    <message>
        <source>%1 % without a score</source>
        <translation>%1 % ohne Bewertung</translation>
    </message>
    <message>
        <source>%1 % without a score (%2 because the call or an end was lost)</source>
        <translation>%1 % ohne Bewertung (%2, weil der Anruf oder ein Ende verloren ging)</translation>
    </message>
    <message>
        <source>%1 % without a score, %2</source>
        <translation>%1 % ohne Bewertung, %2</translation>
    </message>
    <message>
        <source>%1 left out</source>
        <translation>%1 ausgelassen</translation>
    </message>
    <message>
        <source>%1 not measured</source>
        <translation>%1 nicht gemessen</translation>
    </message>
    <message>
        <source>below %1, with the model&apos;s error</source>
        <translation>unter %1, mit dem Fehler des Modells</translation>
    </message>
    <message>
        <source>not below %1, with the model&apos;s error</source>
        <translation>nicht unter %1, mit dem Fehler des Modells</translation>
    </message>
    <message>
        <source>not below %1, with the model&apos;s error, as far as it was scored</source>
        <translation>nicht unter %1, mit dem Fehler des Modells, soweit bewertet</translation>
    </message>
    <message>
        <source>too close to %1 to tell on which side it lies, with the model&apos;s error</source>
        <translation>zu nahe an %1, um die Seite zu sagen, mit dem Fehler des Modells</translation>
    </message>
    <message>
        <source>as precise as the line time allowed</source>
        <translation>so genau, wie die Leitungszeit erlaubte</translation>
    </message>
    <message>
        <source>±%1 at %2 %</source>
        <translation>±%1 bei %2 %</translation>
    </message>
    <message>
        <source>the goal, %1, was reached</source>
        <translation>das Ziel, %1, ist erreicht</translation>
    </message>
    <message>
        <source>%1 was reached, but not the goal, %2</source>
        <translation>%1 ist erreicht, aber nicht das Ziel, %2</translation>
    </message>
    <message>
        <source>the goal, %1, is out of reach, because stimuli were abandoned</source>
        <translation>das Ziel, %1, ist unerreichbar, weil Prüfsätze aufgegeben wurden</translation>
    </message>
    <message>
        <source>the limit of %1 measurements of a stimulus came before the goal, %2</source>
        <translation>die Höchstzahl von %1 Messungen eines Prüfsatzes kam vor dem Ziel, %2</translation>
    </message>
    <message>
        <source>goal reached</source>
        <translation>Ziel erreicht</translation>
    </message>
    <message>
        <source>±%1 MOS at %2 % reached, but not the goal</source>
        <translation>±%1 MOS bei %2 % erreicht, aber nicht das Ziel</translation>
    </message>
    <message>
        <source>limit of %1 measurements reached before the goal</source>
        <translation>Höchstzahl von %1 Messungen vor dem Ziel erreicht</translation>
    </message>
    <message>
        <source>allowed line time used up before the goal</source>
        <translation>erlaubte Leitungszeit vor dem Ziel verbraucht</translation>
    </message>
    <message>
        <source>stopped by the user</source>
        <translation>vom Benutzer angehalten</translation>
    </message>
    <message>
        <source>the line or a node was lost</source>
        <translation>die Leitung oder ein Knoten ging verloren</translation>
    </message>
    <message>
        <source>abandoned after %1 measurements without a score</source>
        <translation>aufgegeben nach %1 Messungen ohne Bewertung</translation>
    </message>
    <message>
        <source>disk full or not writable</source>
        <translation>Platte voll oder nicht beschreibbar</translation>
    </message>
    <message>
        <source>the sender had finished</source>
        <translation>der Sender war fertig</translation>
    </message>
    <message>
        <source>too close to the limit for a decision</source>
        <translation>zu nahe am Grenzwert für eine Entscheidung</translation>
    </message>
    <message>
        <source>marks</source>
        <translation>Marken</translation>
    </message>
    <message>
        <source>hum</source>
        <translation>Brumm</translation>
    </message>
    <message>
        <source>echo return loss</source>
        <translation>Echodämpfung</translation>
    </message>
    <message>
        <source>clock drift</source>
        <translation>Taktabweichung</translation>
    </message>
    <message>
        <source>delay</source>
        <translation>Laufzeit</translation>
    </message>
    <message>
        <source>drop-outs</source>
        <translation>Aussetzer</translation>
    </message>
    <message>
        <source>packets</source>
        <translation>Pakete</translation>
    </message>
    <message>
        <source>other senders</source>
        <translation>andere Sender</translation>
    </message>
    <message>
        <source>upper band lost</source>
        <translation>verlorenes oberes Band</translation>
    </message>
    <message>
        <source>onsets</source>
        <translation>Anfänge</translation>
    </message>
    <message>
        <source>none</source>
        <translation>nichts gefunden</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>unbekannt</translation>
    </message>
    <message>
        <source>%1 dB stronger</source>
        <translation>%1 dB stärker</translation>
    </message>
    <message>
        <source>%1 dB lost</source>
        <translation>%1 dB verloren</translation>
    </message>
    <message>
        <source>%1 % found</source>
        <translation>%1 % gefunden</translation>
    </message>
    <message>
        <source>%1 % lost or late</source>
        <translation>%1 % verloren oder zu spät</translation>
    </message>
    <message>
        <source>%1 packets</source>
        <translation>%1 Pakete</translation>
    </message>
    <message>
        <source>%1 % of transmissions</source>
        <translation>%1 % der Sendungen</translation>
    </message>
    <message>
        <source>%1 % of speech</source>
        <translation>%1 % der Sprache</translation>
    </message>
    <message>
        <source>not measured: no transmission arrived</source>
        <translation>nicht gemessen: keine Sendung kam an</translation>
    </message>
    <message>
        <source>not measured: the line&apos;s delay changed within every transmission</source>
        <translation>nicht gemessen: die Laufzeit der Leitung änderte sich in jeder Sendung</translation>
    </message>
    <message>
        <source>not judged at this level: cure the level first, then check again</source>
        <translation>bei diesem Pegel nicht beurteilt: erst den Pegel beheben, dann erneut prüfen</translation>
    </message>
    <message>
        <source>%1 of %2 packets never arrived and %3 arrived too late (jitter %4 ms): %5</source>
        <translation>%1 von %2 Paketen kamen nie an und %3 zu spät (Jitter %4 ms): %5</translation>
    </message>
    <message>
        <source>raise buffer_ms in the line&apos;s name</source>
        <translation>erhöhen Sie buffer_ms im Namen der Leitung</translation>
    </message>
    <message>
        <source>find where they are dropped</source>
        <translation>finden Sie heraus, wo sie verloren gehen</translation>
    </message>
    <message>
        <source>another sender copies the stream&apos;s own numbers: the right packets cannot be identified, so nothing is scored; look for a second node with this port, or an attack</source>
        <translation>ein anderer Sender ahmt die Nummern des Stroms nach: die richtigen Pakete sind nicht zu erkennen, daher wird nichts bewertet; suchen Sie nach einem zweiten Knoten mit diesem Port oder einem Angriff</translation>
    </message>
    <message>
        <source>another sender sends to this port: its packets are not played; look for an old call, a second node with this port, or an attack</source>
        <translation>ein anderer Sender sendet an diesen Port: seine Pakete werden nicht gespielt; suchen Sie nach einem alten Anruf, einem zweiten Knoten mit diesem Port oder einem Angriff</translation>
    </message>
    <message>
        <source>beginnings are cut off after silence but not after a mark: a gate acts on this line, and a listener hears it; measure with --guard-s 0.6</source>
        <translation>Anfänge sind nach Stille abgeschnitten, aber nicht nach einer Marke: ein Sprachschalter wirkt auf dieser Leitung, und man hört ihn; messen Sie mit --guard-s 0.6</translation>
    </message>
    <message>
        <source>beginnings of sentences are weaker than the rest: a gate or an echo suppressor acts on this line</source>
        <translation>Satzanfänge sind schwächer als der Rest: ein Sprachschalter oder eine Echosperre wirkt auf dieser Leitung</translation>
    </message>
    <message>
        <source>marks are missing: check that the call is up, the cables and both ends&apos; levels</source>
        <translation>Marken fehlen: prüfen Sie, ob der Anruf steht, die Kabel und die Pegel beider Enden</translation>
    </message>
    <message>
        <source>raise the sending level by %1 dB</source>
        <translation>Sendepegel um %1 dB erhöhen</translation>
    </message>
    <message>
        <source>lower the sending level by %1 dB</source>
        <translation>Sendepegel um %1 dB senken</translation>
    </message>
    <message>
        <source>raise the sending level by %1 dB first, then check again</source>
        <translation>erst den Sendepegel um %1 dB erhöhen, dann erneut prüfen</translation>
    </message>
    <message>
        <source>this is the hum</source>
        <translation>das ist der Brumm</translation>
    </message>
    <message>
        <source>%1 dB more than the %2 dBm0p of a good circuit (ITU-T G.712) in the pauses: check cables and gains, or accept it as the line&apos;s</source>
        <translation>in den Pausen %1 dB mehr als die %2 dBm0p einer guten Leitung (ITU-T G.712): prüfen Sie Kabel und Verstärkungen, oder nehmen Sie es als das der Leitung hin</translation>
    </message>
    <message>
        <source>mains hum, %1 dB above %2 dBm0 (ITU-T G.712): use a transformer or a battery, and keep the ends&apos; grounds apart</source>
        <translation>Netzbrumm, %1 dB über %2 dBm0 (ITU-T G.712): nehmen Sie einen Übertrager oder eine Batterie, und trennen Sie die Massen der Enden</translation>
    </message>
    <message>
        <source>the receiver&apos;s input is overdriven: lower its level</source>
        <translation>der Eingang des Empfängers ist übersteuert: senken Sie seinen Pegel</translation>
    </message>
    <message>
        <source>not measured: nothing reaches the sender&apos;s own input</source>
        <translation>nicht gemessen: am eigenen Eingang des Senders kommt nichts an</translation>
    </message>
    <message>
        <source>the sender hears itself %1 ms later: measure one direction at a time, or use an echo canceller</source>
        <translation>der Sender hört sich %1 ms später selbst: messen Sie eine Richtung nach der anderen, oder nehmen Sie eine Echokompensation</translation>
    </message>
    <message>
        <source>the two sound devices&apos; clocks are far apart: check that both run at the rate they claim</source>
        <translation>die Takte der beiden Tongeräte liegen weit auseinander: prüfen Sie, ob beide mit der angegebenen Rate laufen</translation>
    </message>
    <message>
        <source>parts of the speech are missing: packets are lost, or a sound device is too slow</source>
        <translation>Teile der Sprache fehlen: Pakete gehen verloren, oder ein Tongerät ist zu langsam</translation>
    </message>
    <message>
        <source>no temporary folder can be made; free space on the disk of temporary files</source>
        <translation>kein temporärer Ordner lässt sich anlegen; schaffen Sie Platz auf der Platte der temporären Dateien</translation>
    </message>
    <message>
        <source>the nodes were not trusted; nothing was sent to them</source>
        <translation>den Knoten wurde nicht vertraut; nichts wurde an sie gesendet</translation>
    </message>
    <message>
        <source>the check was stopped</source>
        <translation>die Prüfung wurde angehalten</translation>
    </message>
    <message>
        <source>%1 hears nothing of %2: %3; %4</source>
        <translation>%1 hört nichts von %2: %3; %4</translation>
    </message>
    <message>
        <source>end a</source>
        <translation>Ende A</translation>
    </message>
    <message>
        <source>end b</source>
        <translation>Ende B</translation>
    </message>
    <message>
        <source>the receiving end</source>
        <translation>das empfangende Ende</translation>
    </message>
    <message>
        <source>the sending end</source>
        <translation>das sendende Ende</translation>
    </message>
    <message>
        <source>no packet arrived</source>
        <translation>kein Paket kam an</translation>
    </message>
    <message>
        <source>digital silence (every sample is the same)</source>
        <translation>digitale Stille (jeder Abtastwert ist gleich)</translation>
    </message>
    <message>
        <source>only quiet noise at %1</source>
        <translation>nur leises Geräusch mit %1</translation>
    </message>
    <message>
        <source>call-progress tone of %1 Hz at %2</source>
        <translation>Hörton von %1 Hz mit %2</translation>
    </message>
    <message>
        <source>noise at %1, but no mark in it</source>
        <translation>Geräusch mit %1, aber keine Marke darin</translation>
    </message>
    <message>
        <source>check whether the node at %1 runs, whether its line&apos;s name gives %2&apos;s address and port, and whether a firewall drops UDP</source>
        <translation>prüfen Sie, ob der Knoten an %1 läuft, ob der Name seiner Leitung Adresse und Port von %2 nennt, und ob eine Firewall UDP verwirft</translation>
    </message>
    <message>
        <source>check %1: is the call connected, is the right input device and channel chosen, is the input muted? Then check %2: is its output muted, or another device?</source>
        <translation>prüfen Sie %1: Steht der Anruf, ist das richtige Eingabegerät und der richtige Kanal gewählt, ist der Eingang stumm? Dann %2: Ist die Ausgabe stumm oder ein anderes Gerät?</translation>
    </message>
    <message>
        <source>check %1: is the cable in the right socket, is the input&apos;s gain up, is it the right input? Then check %2: is its output muted, its cable unplugged, its level at zero?</source>
        <translation>prüfen Sie %1: Steckt das Kabel in der richtigen Buchse, ist der Eingang aufgedreht, ist es der richtige? Dann %2: Ist die Ausgabe stumm, das Kabel ab, der Pegel auf null?</translation>
    </message>
    <message>
        <source>the call is not connected: dial, or wait until the other end answers</source>
        <translation>der Anruf steht nicht: wählen Sie, oder warten Sie, bis das andere Ende annimmt</translation>
    </message>
    <message>
        <source>%1&apos;s input has a signal: is it connected to this line, or to a room, another call or hum? Is %2&apos;s output connected to the line, and loud enough?</source>
        <translation>am Eingang von %1 liegt ein Signal: Ist er an dieser Leitung, oder an einem Raum, einem anderen Anruf oder Brumm? Ist der Ausgang von %2 an der Leitung und laut genug?</translation>
    </message>
    <message>
        <source>what was received does not match the sentence that was sent; the line was too disturbed, or carried something else</source>
        <translation>das Empfangene passt nicht zum gesendeten Satz; die Leitung war zu gestört oder trug etwas anderes</translation>
    </message>
    <message>
        <source>what was received is silent or too weak; check the call, the connection and the levels</source>
        <translation>das Empfangene ist still oder zu schwach; prüfen Sie Anruf, Verbindung und Pegel</translation>
    </message>
    <message>
        <source>hardly anything was received; see whether the call was up and whether a node lost samples</source>
        <translation>kaum etwas wurde empfangen; prüfen Sie, ob der Anruf stand und ob ein Knoten Abtastwerte verlor</translation>
    </message>
    <message>
        <source>nothing was received when it was due</source>
        <translation>als es fällig war, wurde nichts empfangen</translation>
    </message>
    <message>
        <source>the receiver&apos;s input is overdriven: lower its recording level</source>
        <translation>der Eingang des Empfängers ist übersteuert: senken Sie seinen Aufnahmepegel</translation>
    </message>
    <message>
        <source>no mark was found, and no speech: %1</source>
        <translation>keine Marke wurde gefunden, und keine Sprache: %1</translation>
    </message>
    <message>
        <source>%1 came in its place</source>
        <translation>%1 kam an ihrer Stelle</translation>
    </message>
    <message>
        <source>only silence arrived when a transmission was due: the call is gone</source>
        <translation>nur Stille kam an, als eine Sendung fällig war: der Anruf ist weg</translation>
    </message>
    <message>
        <source>this transmission was in progress when its round was broken off</source>
        <translation>diese Sendung lief, als ihre Runde abgebrochen wurde</translation>
    </message>
    <message>
        <source>this transmission was in progress when the run was broken off; it is sent again if still needed</source>
        <translation>diese Sendung lief, als der Messlauf abgebrochen wurde; sie wird wiederholt, wenn sie noch nötig ist</translation>
    </message>
    <message>
        <source>Your partner is not reachable: nothing answers at %1.</source>
        <translation>Die Gegenstelle ist nicht erreichbar: an %1 antwortet nichts.</translation>
    </message>
    <message>
        <source>Ask your partner whether VQAS is waiting there and shows this address. If it does, a firewall may block the way.</source>
        <translation>Fragen Sie dort, ob VQAS wartet und diese Adresse zeigt. Wenn ja, versperrt vielleicht eine Firewall den Weg.</translation>
    </message>
    <message>
        <source>Another program than your partner&apos;s answers at %1.</source>
        <translation>An %1 antwortet ein anderes Programm als das der Gegenstelle.</translation>
    </message>
    <message>
        <source>Compare the fingerprints on the telephone, and connect only if they are the same.</source>
        <translation>Vergleichen Sie die Fingerabdrücke am Telefon, und verbinden Sie nur, wenn sie gleich sind.</translation>
    </message>
    <message>
        <source>Compare the fingerprints on the telephone, and connect only if they are the same. If your partner&apos;s machine is new, remove the line of this address from %1 first.</source>
        <translation>Vergleichen Sie die Fingerabdrücke am Telefon, und verbinden Sie nur, wenn sie gleich sind. Ist der Rechner der Gegenstelle neu, entfernen Sie erst die Zeile dieser Adresse aus %1.</translation>
    </message>
    <message>
        <source>Your partner&apos;s end asks for a code.</source>
        <translation>Das Ende der Gegenstelle verlangt einen Code.</translation>
    </message>
    <message>
        <source>Have the six words of the code read out to you, and type them here.</source>
        <translation>Lassen Sie sich die sechs Wörter des Codes vorlesen, und schreiben Sie sie hier.</translation>
    </message>
    <message>
        <source>Your partner&apos;s end refused the code.</source>
        <translation>Das Ende der Gegenstelle hat den Code abgelehnt.</translation>
    </message>
    <message>
        <source>Have it read out again: it is a new one each time the partner begins to wait.</source>
        <translation>Lassen Sie ihn noch einmal vorlesen: er ist jedes Mal neu, wenn die Gegenstelle zu warten beginnt.</translation>
    </message>
    <message>
        <source>What answers at %1 is not VQAS, or another release of it.</source>
        <translation>Was an %1 antwortet, ist nicht VQAS oder eine andere Version.</translation>
    </message>
    <message>
        <source>Check address and port with your partner, and the release at both ends.</source>
        <translation>Vergleichen Sie mit der Gegenstelle Adresse, Port und Version an beiden Enden.</translation>
    </message>
    <message>
        <source>Your partner&apos;s end does not answer any more.</source>
        <translation>Das Ende der Gegenstelle antwortet nicht mehr.</translation>
    </message>
    <message>
        <source>Ask whether VQAS still waits there, and look at your network; then connect again.</source>
        <translation>Fragen Sie, ob VQAS dort noch wartet, und prüfen Sie Ihr Netz; verbinden Sie dann erneut.</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not an address.</source>
        <translation>„%1“ ist keine Adresse.</translation>
    </message>
    <message>
        <source>Write what your partner&apos;s page shows, for example 192.0.2.7 or wss://192.0.2.7:7811.</source>
        <translation>Schreiben Sie, was die Seite der Gegenstelle zeigt, zum Beispiel 192.0.2.7 oder wss://192.0.2.7:7811.</translation>
    </message>
    <message>
        <source>The code has six words, as your partner&apos;s page shows.</source>
        <translation>Der Code hat sechs Wörter, wie die Seite der Gegenstelle zeigt.</translation>
    </message>
    <message>
        <source>Choose the file that your partner saved.</source>
        <translation>Wählen Sie die Datei, die die Gegenstelle gespeichert hat.</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not a word of a code; ask for this word again.</source>
        <translation>„%1“ ist kein Wort eines Codes; fragen Sie noch einmal nach diesem Wort.</translation>
    </message>
    <message>
        <source>A code has %1 words, and these are %2; ask for the whole code again.</source>
        <translation>Ein Code hat %1 Wörter, und das sind %2; lassen Sie sich den ganzen Code noch einmal vorlesen.</translation>
    </message>
    <message>
        <source>Mend the file, or remove it.</source>
        <translation>Reparieren Sie die Datei, oder entfernen Sie sie.</translation>
    </message>
    <message>
        <source>You did not trust this partner, and nothing was sent there.</source>
        <translation>Sie haben dieser Gegenstelle nicht vertraut, und nichts wurde dorthin gesendet.</translation>
    </message>
    <message>
        <source>Check the address.</source>
        <translation>Prüfen Sie die Adresse.</translation>
    </message>
    <message>
        <source>Then connect again.</source>
        <translation>Verbinden Sie dann erneut.</translation>
    </message>
    <message>
        <source>Node %1 at %2 is not known yet. Its fingerprint is
%3
%4</source>
        <translation>Knoten %1 an %2 ist noch nicht bekannt. Sein Fingerabdruck ist
%3
%4</translation>
    </message>
    <message>
        <source>A node prints its own fingerprint when it starts. Have it read out to you by telephone. Trust it only if all digits are the same</source>
        <translation>Ein Knoten gibt beim Start seinen Fingerabdruck aus. Lassen Sie ihn sich am Telefon vorlesen. Vertrauen Sie ihm nur, wenn alle Ziffern gleich sind</translation>
    </message>
    <message>
        <source>a simulated line has no equipment; choose a sound device, RTP or SIP</source>
        <translation>eine simulierte Leitung hat keine Geräte; wählen Sie ein Tongerät, RTP oder SIP</translation>
    </message>
    <message>
        <source>one end, a or b, of a line made by &quot;vqas sim&quot;</source>
        <translation>ein Ende, a oder b, einer Leitung von „vqas sim“</translation>
    </message>
    <message>
        <source>a sound device, by its name in &quot;vqas devices&quot;</source>
        <translation>ein Tongerät, mit seinem Namen in „vqas devices“</translation>
    </message>
    <message>
        <source>speech over RTP, in both directions</source>
        <translation>Sprache über RTP, in beide Richtungen</translation>
    </message>
    <message>
        <source>a call by SIP that this end makes, or answers</source>
        <translation>ein SIP-Anruf, den dieses Ende macht oder annimmt</translation>
    </message>
    <message>
        <source>the line &quot;%1&quot; is not of the form %2</source>
        <translation>die Leitung „%1“ hat nicht die Form %2</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not a kind of line in this build; it has: %2</source>
        <translation>„%1“ ist keine Art von Leitung in diesem Programm; es kennt: %2</translation>
    </message>
    <message>
        <source>%1: the sound device stopped: it was unplugged, or its sound server ended; connect it again</source>
        <translation>%1: das Tongerät blieb stehen: es wurde ausgesteckt, oder sein Tonserver ist beendet; schließen Sie es wieder an</translation>
    </message>
    <message>
        <source>%1: no packet has arrived for %2 s; the other end hung up or is gone</source>
        <translation>%1: seit %2 s kam kein Paket an; das andere Ende hat aufgelegt oder ist weg</translation>
    </message>
    <message>
        <source>cannot take the UDP port %1: %2; choose another one</source>
        <translation>UDP-Port %1 ist nicht zu haben: „%2“; wählen Sie einen anderen</translation>
    </message>
    <message>
        <source>RTP, %1, 20 ms a packet, jitter buffer %2 ms</source>
        <translation>RTP, %1, 20 ms je Paket, Jitterpuffer %2 ms</translation>
    </message>
    <message>
        <source>this machine has no sound output; connect headphones or a loudspeaker</source>
        <translation>dieser Rechner hat keine Tonausgabe; schließen Sie Kopfhörer oder einen Lautsprecher an</translation>
    </message>
    <message>
        <source>the sound output cannot be used: %1</source>
        <translation>die Tonausgabe ist nicht verwendbar: „%1“</translation>
    </message>
    <message>
        <source>the run has ended; &quot;vqas note FOLDER NUMBER --text TEXT&quot; adds notes to a run that has ended</source>
        <translation>der Messlauf ist beendet; „vqas note ORDNER NUMMER --text TEXT“ fügt Notizen zu einem beendeten hinzu</translation>
    </message>
    <message>
        <source>the run in %1 is complete, so there is nothing to resume; press Start for a new run</source>
        <translation>der Messlauf in %1 ist vollständig, es gibt nichts fortzusetzen; drücken Sie „Start“ für einen neuen</translation>
    </message>
    <message>
        <source>the run in %1 was made on a simulated line, which ended with it; press Start to measure it again</source>
        <translation>der Messlauf in %1 war auf einer simulierten Leitung, die mit ihm endete; drücken Sie „Start“, um sie neu zu messen</translation>
    </message>
    <message>
        <source>%1 was not found; start vqas-gui with --vqas and its path, or measure two nodes</source>
        <translation>%1 wurde nicht gefunden; starten Sie vqas-gui mit --vqas und dem Pfad, oder messen Sie zwei Knoten</translation>
    </message>
    <message>
        <source>the folder %1 holds %2; %3</source>
        <translation>der Ordner %1 enthält %2; %3</translation>
    </message>
    <message>
        <source>an earlier run</source>
        <translation>einen früheren Messlauf</translation>
    </message>
    <message>
        <source>a run that was broken off</source>
        <translation>einen abgebrochenen Messlauf</translation>
    </message>
    <message>
        <source>files that are not a run of VQAS</source>
        <translation>Dateien, die kein Messlauf von VQAS sind</translation>
    </message>
    <message>
        <source>choose a new one, so that no earlier result is lost</source>
        <translation>wählen Sie einen neuen, damit kein früheres Ergebnis verloren geht</translation>
    </message>
    <message>
        <source>choose a new one, so that nothing in it is lost</source>
        <translation>wählen Sie einen neuen, damit nichts darin verloren geht</translation>
    </message>
    <message>
        <source>cannot write to the folder %1: %2; %3</source>
        <translation>in den Ordner %1 lässt sich nicht schreiben: „%2“; %3</translation>
    </message>
    <message>
        <source>check rights and free space, or choose another one</source>
        <translation>prüfen Sie Rechte und freien Platz, oder wählen Sie einen anderen</translation>
    </message>
    <message>
        <source>choose a folder that you may write to</source>
        <translation>wählen Sie einen Ordner, in den Sie schreiben dürfen</translation>
    </message>
    <message>
        <source>the connection was lost; look at the node for the reason, start it again and repeat the run</source>
        <translation>die Verbindung ging verloren; sehen Sie am Knoten nach dem Grund, starten Sie ihn neu, und wiederholen Sie den Messlauf</translation>
    </message>
    <message>
        <source>%1: it does not answer</source>
        <translation>%1: keine Antwort</translation>
    </message>
    <message>
        <source>it does not answer</source>
        <translation>keine Antwort</translation>
    </message>
    <message>
        <source>%1 is out of reach; the run waits for it for %2 s: %3</source>
        <translation>%1 ist nicht erreichbar; der Messlauf wartet %2 s darauf: %3</translation>
    </message>
    <message>
        <source>the simulated line did not start in time; check whether this computer is overloaded, and try again</source>
        <translation>die simulierte Leitung startete nicht rechtzeitig; prüfen Sie, ob dieser Rechner überlastet ist, und versuchen Sie es noch einmal</translation>
    </message>
    <message>
        <source>the run may need %1 MB, and the disk of %2 has %3 MB free; make room</source>
        <translation>der Messlauf braucht vielleicht %1 MB, und die Platte von %2 hat %3 MB frei; schaffen Sie Platz</translation>
    </message>
    <message>
        <source>%1 is being measured; stop the run first</source>
        <translation>%1 wird gerade gemessen; halten Sie den Messlauf erst an</translation>
    </message>
    <message>
        <source>%1 is there already; rename one of the two folders</source>
        <translation>%1 gibt es schon; benennen Sie einen der beiden Ordner um</translation>
    </message>
    <message>
        <source>cannot move %1 to %2: %3; see whether both folders may be written to</source>
        <translation>%1 lässt sich nicht nach %2 verschieben: „%3“; prüfen Sie, ob in beide Ordner geschrieben werden darf</translation>
    </message>
    <message>
        <source>cannot copy %1 to %2: %3</source>
        <translation>%1 lässt sich nicht nach %2 kopieren: „%3“</translation>
    </message>
    <message>
        <source>a PDF needs the program weasyprint; install Debian&apos;s package of that name</source>
        <translation>ein PDF braucht das Programm weasyprint; installieren Sie das Debian-Paket dieses Namens</translation>
    </message>
    <message>
        <source>the run was cancelled; its measurements so far are kept</source>
        <translation>der Messlauf wurde abgebrochen; seine Messungen bis hier bleiben</translation>
    </message>
    <message>
        <source>no baseline is kept yet</source>
        <translation>noch keine Grundmessung ist aufbewahrt</translation>
    </message>
    <message>
        <source>a simulated line has no equipment; choose a sound device</source>
        <translation>eine simulierte Leitung hat keine Geräte; wählen Sie ein Tongerät</translation>
    </message>
    <message>
        <source>the measurement was stopped</source>
        <translation>die Messung wurde angehalten</translation>
    </message>
    <message>
        <source>baseline of %1: MOS %2</source>
        <translation>Grundmessung vom %1: MOS %2</translation>
    </message>
    <message>
        <source>baseline of %1: MOS-LQOW %2</source>
        <translation>Grundmessung vom %1: MOS-LQOW %2</translation>
    </message>
    <message>
        <source>baseline of %1: its scores are %2 and cannot be compared with %3: measure a new one in the same mode</source>
        <translation>Grundmessung vom %1: ihre Werte sind %2 und nicht mit %3 vergleichbar; messen Sie eine neue in derselben Betriebsart</translation>
    </message>
    <message>
        <source>%1; it is older than 30 days: measure a new one</source>
        <translation>%1; sie ist älter als 30 Tage: messen Sie eine neue</translation>
    </message>
    <message>
        <source>%1; it was measured with other devices: measure a new one</source>
        <translation>%1; sie wurde mit anderen Geräten gemessen: messen Sie eine neue</translation>
    </message>
    <message>
        <source>narrowband %1</source>
        <translation>Schmalband-%1</translation>
    </message>
    <message>
        <source>being measured</source>
        <translation>wird gemessen</translation>
    </message>
    <message>
        <source>the line</source>
        <translation>die Leitung</translation>
    </message>
    <message>
        <source>the line is there again; the run continues</source>
        <translation>die Leitung ist wieder da; der Messlauf geht weiter</translation>
    </message>
    <message>
        <source>the program that measures this run does not stop it; stop it there</source>
        <translation>das Programm, das diesen Messlauf misst, hält ihn nicht an; halten Sie ihn dort an</translation>
    </message>
    <message>
        <source>no program measures the run in %1 now</source>
        <translation>kein Programm misst jetzt den Messlauf in %1</translation>
    </message>
    <message>
        <source>cannot write to the folder %1, so the run cannot be stopped from here; stop it where it is measured</source>
        <translation>in den Ordner %1 kann nicht geschrieben werden, also kann der Messlauf von hier nicht angehalten werden; halten Sie ihn dort an, wo er gemessen wird</translation>
    </message>
    <message>
        <source>the next run, at %1</source>
        <translation>den nächsten Messlauf, um %1</translation>
    </message>
    <message>
        <source>runs by the clock cannot be paused; stop them</source>
        <translation>Messläufe nach der Uhr kann man nicht unterbrechen; halten Sie sie an</translation>
    </message>
    <message>
        <source>round %1 failed: %2</source>
        <translation>Durchgang %1 ist gescheitert: %2</translation>
    </message>
    <message>
        <source>the registration could not be renewed; the call continues: %1</source>
        <translation>die Anmeldung ließ sich nicht erneuern; der Anruf besteht weiter: %1</translation>
    </message>
    <message>
        <source>the registration could not be renewed: %1</source>
        <translation>die Anmeldung ließ sich nicht erneuern: %1</translation>
    </message>
    <message>
        <source>a call from %1 was refused (%2): %3</source>
        <translation>ein Anruf von %1 wurde abgelehnt (%2): %3</translation>
    </message>
    <message>
        <source>no response yet from %1; it may take %2 s until the call counts as unreachable</source>
        <translation>noch keine Antwort von %1; es kann %2 s dauern, bis der Anruf als unerreichbar gilt</translation>
    </message>
    <message>
        <source>the other end sent the digits %1</source>
        <translation>das andere Ende sandte die Ziffern %1</translation>
    </message>
    <message>
        <source>most slots have no run: %1 of %2 were left out; see why: %3</source>
        <translation>die meisten Termine haben keine Messung: %1 von %2 fielen aus; warum, zeigt: %3</translation>
    </message>
    <message>
        <source>the report in %1 cannot be written now; its measurements are kept, and it is tried again at the end of the campaign</source>
        <translation>der Bericht in %1 lässt sich jetzt nicht schreiben; seine Messwerte bleiben, und am Ende der Kampagne wird es noch einmal versucht</translation>
    </message>
    <message>
        <source>run %1 of %2 is not begun: %3</source>
        <translation>Messung %1 von %2 wird nicht begonnen: %3</translation>
    </message>
    <message>
        <source>the system&apos;s clock was set %1 by %2 s, to %3 UTC; the slots keep their times</source>
        <translation>die Uhr des Rechners wurde um %2 s %1 gestellt, auf %3 UTC; die Termine behalten ihre Zeiten</translation>
    </message>
    <message>
        <source>forward (or the machine slept)</source>
        <translation>vor (oder der Rechner schlief)</translation>
    </message>
    <message>
        <source>back</source>
        <translation>zurück</translation>
    </message>
    <message>
        <source>the node %1 is out of reach</source>
        <translation>der Knoten %1 ist nicht erreichbar</translation>
    </message>
    <message>
        <source>there is no store %1; check its name, or put runs into it first</source>
        <translation>es gibt keinen Speicher %1; prüfen Sie den Namen, oder legen Sie zuerst Messungen hinein</translation>
    </message>
    <message>
        <source>the store %1: %2; name a file that &quot;vqas results take&quot; has made</source>
        <translation>der Speicher %1: %2; nennen Sie eine Datei, die „vqas results take“ angelegt hat</translation>
    </message>
    <message>
        <source>the store %1: %2; check the address, the name and the password</source>
        <translation>der Speicher %1: %2; prüfen Sie Adresse, Name und Passwort</translation>
    </message>
    <message>
        <source>the store %1: %2; name a file in an existing, writable folder</source>
        <translation>der Speicher %1: %2; nennen Sie eine Datei in einem vorhandenen Ordner, in den Sie schreiben dürfen</translation>
    </message>
    <message>
        <source>the store %1: %2; name another store</source>
        <translation>der Speicher %1: %2; nennen Sie einen anderen</translation>
    </message>
    <message>
        <source>the store %1: %2; make it writable or name another store</source>
        <translation>der Speicher %1: %2; machen Sie ihn beschreibbar, oder nennen Sie einen anderen</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not a store; give a file or postgresql://USER@HOST/DATABASE</source>
        <translation>„%1“ ist kein Speicher; nennen Sie eine Datei oder postgresql://USER@HOST/DATABASE</translation>
    </message>
    <message>
        <source>the driver for %1 is missing; install %2</source>
        <translation>der Treiber für %1 fehlt; installieren Sie %2</translation>
    </message>
    <message>
        <source>another program asked to stop</source>
        <translation>ein anderes Programm hat um das Ende gebeten</translation>
    </message>
    <message>
        <source>another program asked to stop; this ends all runs to come, too</source>
        <translation>ein anderes Programm hat um das Ende gebeten; das beendet auch alle weiteren Messungen</translation>
    </message>
    <message>
        <source>%1 of %2 repeats are over</source>
        <translation>%1 von %2 Wiederholungen sind vorbei</translation>
    </message>
    <message>
        <source>the campaign is complete, so nothing is left to measure</source>
        <translation>die Kampagne ist vollständig, es bleibt nichts zu messen</translation>
    </message>
    <message>
        <source>the folder %1 holds no campaign to resume</source>
        <translation>der Ordner %1 enthält keine Kampagne, die fortgesetzt werden kann</translation>
    </message>
    <message>
        <source>the run cannot be read, and is looked at again: %1</source>
        <translation>die Messung ist nicht lesbar, es wird weiter versucht: %1</translation>
    </message>
    <message>
        <source>the run measures more of %1</source>
        <translation>%1 wird öfter gemessen</translation>
    </message>
    <message>
        <source>the run is over, and its campaign does not measure it again</source>
        <translation>die Messung ist zu Ende, und ihre Kampagne misst sie nicht noch einmal</translation>
    </message>
    <message>
        <source>the run is over</source>
        <translation>die Messung ist zu Ende</translation>
    </message>
    <message>
        <source>the run was broken off</source>
        <translation>die Messung wurde abgebrochen</translation>
    </message>
    <message>
        <source>%1, and its line with it: nothing more is measured</source>
        <translation>%1, und ihre Leitung mit ihr: es wird nichts mehr gemessen</translation>
    </message>
    <message>
        <source>nothing more of %1 is measured: %2</source>
        <translation>%1 wird nicht öfter gemessen: %2</translation>
    </message>
    <message>
        <source>%1; &quot;%2&quot; measures up to %3 more of %4</source>
        <translation>%1; „%2“ misst bis zu %3 weitere von %4</translation>
    </message>
    <message>
        <source>%1; name a store that &quot;vqas results take&quot; has made</source>
        <translation>%1; nennen Sie einen Speicher, den „vqas results take“ angelegt hat</translation>
    </message>
</context>
<context>
    <name>Text</name>
    <message>
        <source>✓ ok</source>
        <translation>✓ in Ordnung</translation>
    </message>
    <message>
        <source>✗ look here</source>
        <translation>✗ hier nachsehen</translation>
    </message>
    <message>
        <source>– not measured</source>
        <translation>– nicht gemessen</translation>
    </message>
    <message>
        <source>The line is ready</source>
        <translation>Die Leitung ist bereit</translation>
    </message>
    <message>
        <source>Not everything could be measured: see what to do</source>
        <translation>Nicht alles ließ sich messen: siehe „Was zu tun ist“</translation>
    </message>
    <message>
        <source>%1 of %2 items need a look: see what to do</source>
        <translation>%1 von %2 Punkten brauchen Aufmerksamkeit: siehe „Was zu tun ist“</translation>
    </message>
    <message>
        <source>Simulated line, bit error ratio %1, delay %2 ms</source>
        <translation>Simulierte Leitung, Bitfehlerrate %1, Laufzeit %2 ms</translation>
    </message>
    <message>
        <source>, %1 min</source>
        <translation>, %1 min</translation>
    </message>
    <message>
        <source>, above %1?</source>
        <translation>, über %1?</translation>
    </message>
    <message>
        <source>, each sentence</source>
        <translation>, jeder Satz</translation>
    </message>
    <message>
        <source>, A to B</source>
        <translation>, A nach B</translation>
    </message>
    <message>
        <source>, B to A</source>
        <translation>, B nach A</translation>
    </message>
    <message>
        <source>No. %1, %2: %3, %4</source>
        <translation>Nr. %1, %2: %3, %4</translation>
    </message>
    <message>
        <source>Choose the measurement that sounds different</source>
        <translation>Wählen Sie die Messung, die anders klingt</translation>
    </message>
    <message>
        <source>Write what you heard</source>
        <translation>Schreiben Sie, was Sie gehört haben</translation>
    </message>
    <message>
        <source>Shorten the note to %1 characters</source>
        <translation>Kürzen Sie die Notiz auf %1 Zeichen</translation>
    </message>
    <message>
        <source>no score</source>
        <translation>keine Bewertung</translation>
    </message>
    <message>
        <source>, conditional</source>
        <translation>, bedingt</translation>
    </message>
    <message>
        <source>silence</source>
        <translation>Stille</translation>
    </message>
    <message>
        <source>peak %1</source>
        <translation>Spitze %1</translation>
    </message>
    <message>
        <source>, speech %1</source>
        <translation>, Sprache %1</translation>
    </message>
    <message>
        <source>; ⚠ overloaded: lower this level</source>
        <translation>; ⚠ übersteuert: diesen Pegel senken</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>nichts</translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation>%1 ms</translation>
    </message>
    <message>
        <source>en</source>
        <comment>code of this language</comment>
        <translation>de</translation>
    </message>
    <message>
        <source>Message: “%1”</source>
        <translation>Meldung: „%1“</translation>
    </message>
    <message>
        <source>waiting</source>
        <translation>wartet</translation>
    </message>
    <message>
        <source>no score yet</source>
        <translation>noch keine Bewertung</translation>
    </message>
    <message>
        <source>within the goal</source>
        <translation>im Ziel</translation>
    </message>
    <message>
        <source>measuring</source>
        <translation>wird gemessen</translation>
    </message>
    <message>
        <source>measured</source>
        <translation>gemessen</translation>
    </message>
    <message>
        <source>not measured, %1</source>
        <translation>nicht gemessen, %1</translation>
    </message>
    <message>
        <source>no score, %1</source>
        <translation>keine Bewertung, %1</translation>
    </message>
    <message>
        <source>; conditional, see Not scored</source>
        <translation>; bedingt, siehe „Nicht bewertet“</translation>
    </message>
    <message>
        <source>%1 in %2 of %3</source>
        <translation>%1 in %2 von %3</translation>
    </message>
    <message>
        <source>%1 in %2</source>
        <translation>%1 in %2</translation>
    </message>
    <message>
        <source>Band from</source>
        <translation>Band ab</translation>
    </message>
    <message>
        <source>Band to</source>
        <translation>Band bis</translation>
    </message>
    <message>
        <source>Loudness lost to the band</source>
        <translation>Durch das Band verlorene Lautheit</translation>
    </message>
    <message>
        <source>Speech missing at the front</source>
        <translation>Am Anfang fehlende Sprache</translation>
    </message>
    <message>
        <source>Speech missing in the middle</source>
        <translation>In der Mitte fehlende Sprache</translation>
    </message>
    <message>
        <source>Speech missing at the end</source>
        <translation>Am Ende fehlende Sprache</translation>
    </message>
    <message>
        <source>Level within the stimulus moves by</source>
        <translation>Der Pegel im Prüfsatz schwankt um</translation>
    </message>
    <message>
        <source>Level through the line</source>
        <translation>Pegel über die Leitung</translation>
    </message>
    <message>
        <source>Delay</source>
        <translation>Laufzeit</translation>
    </message>
    <message>
        <source>Clock drift</source>
        <translation>Taktabweichung</translation>
    </message>
    <message>
        <source>The middle one of its measurements:</source>
        <translation>Die mittlere seiner Messungen:</translation>
    </message>
    <message>
        <source>Bit error ratio: write 0, or a number from 1e-12 to 0.5, for example 1e-5</source>
        <translation>Bitfehlerrate: Schreiben Sie 0 oder eine Zahl von 1e-12 bis 0,5, zum Beispiel 1e-5</translation>
    </message>
    <message>
        <source>Delay: write milliseconds from %1 to 10000, for example 250</source>
        <translation>Laufzeit: Schreiben Sie Millisekunden von %1 bis 10000, zum Beispiel 250</translation>
    </message>
    <message>
        <source>Node A</source>
        <translation>Knoten A</translation>
    </message>
    <message>
        <source>Node B</source>
        <translation>Knoten B</translation>
    </message>
    <message>
        <source>Node B: it has the address of node A; each end of the line has a node of its own</source>
        <translation>Knoten B: Er hat die Adresse von Knoten A; jedes Ende der Leitung hat einen eigenen Knoten</translation>
    </message>
    <message>
        <source>Seed: write a whole number from 0 to 18446744073709551615</source>
        <translation>Startwert: Schreiben Sie eine ganze Zahl von 0 bis 18446744073709551615</translation>
    </message>
    <message>
        <source>Most measurements: write a whole number from %1 to %2 for each stimulus</source>
        <translation>Höchstzahl der Messungen: Schreiben Sie eine ganze Zahl von %1 bis %2 für jeden Prüfsatz</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>Notizen</translation>
    </message>
    <message>
        <source>Site</source>
        <translation>Standort</translation>
    </message>
    <message>
        <source>Circuit</source>
        <translation>Leitungs-Nr.</translation>
    </message>
    <message>
        <source>Stimuli: &quot;%1&quot; is not a name of a stimulus; write them like M1, F5, or leave the field empty for all</source>
        <translation>Prüfsätze: „%1“ ist nicht der Name eines Prüfsatzes; schreiben Sie sie wie M1, F5, oder lassen Sie das Feld leer für alle</translation>
    </message>
    <message>
        <source>Stimuli: %1 is named twice; name each once</source>
        <translation>Prüfsätze: %1 steht zweimal da; nennen Sie jeden einmal</translation>
    </message>
    <message>
        <source>Directions: choose A to B, B to A, or both</source>
        <translation>Richtungen: Wählen Sie A nach B, B nach A oder beide</translation>
    </message>
    <message>
        <source>Results folder: %1 is a file; choose a folder</source>
        <translation>Ergebnisordner: %1 ist eine Datei; wählen Sie einen Ordner</translation>
    </message>
    <message>
        <source>Results folder: %1 is not empty; choose a new or empty one, or leave the field empty</source>
        <translation>Ergebnisordner: %1 ist nicht leer; wählen Sie einen neuen oder leeren, oder lassen Sie das Feld leer</translation>
    </message>
    <message>
        <source>Line time: write minutes from 1 to %1, for example 10</source>
        <translation>Leitungszeit: Schreiben Sie Minuten von 1 bis %1, zum Beispiel 10</translation>
    </message>
    <message>
        <source>Limit: write a MOS from 1 to 5, for example 3.5</source>
        <translation>Grenzwert: Schreiben Sie einen MOS von 1 bis 5, zum Beispiel 3,5</translation>
    </message>
    <message>
        <source>%1: %2 bytes are too long; write at most %3</source>
        <translation>%1: %2 Byte sind zu lang; schreiben Sie höchstens %3</translation>
    </message>
    <message>
        <source>%1: write the address that its node printed, for example ws://127.0.0.1:7811 or wss://192.0.2.7:7811</source>
        <translation>%1: Schreiben Sie die Adresse, die der Knoten ausgegeben hat, zum Beispiel ws://127.0.0.1:7811 oder wss://192.0.2.7:7811</translation>
    </message>
    <message>
        <source>Pairing or token file of node %1: there is no file %2; choose the file that came from the node, or leave the field empty</source>
        <translation>Kopplungs- oder Token-Datei von Knoten %1: Die Datei %2 gibt es nicht; wählen Sie die Datei, die vom Knoten kam, oder lassen Sie das Feld leer</translation>
    </message>
    <message>
        <source>nothing was measured</source>
        <translation>nichts wurde gemessen</translation>
    </message>
    <message>
        <source>%1 kept</source>
        <translation>%1 aufbewahrt</translation>
    </message>
    <message>
        <source>Paused: the line is kept, %1</source>
        <translation>Pause: die Leitung bleibt belegt, %1</translation>
    </message>
    <message>
        <source>Pausing: the sentence under way is finished first</source>
        <translation>Pause folgt: der laufende Satz wird noch beendet</translation>
    </message>
    <message>
        <source>Waiting for %1: %2</source>
        <translation>Warten auf %1: %2</translation>
    </message>
    <message>
        <source>Nothing arrives from end %1: see what to look at below</source>
        <translation>Von Ende %1 kommt nichts an: unten steht, wo nachzusehen ist</translation>
    </message>
    <message>
        <source> nor from end </source>
        <translation> und von Ende </translation>
    </message>
    <message>
        <source>Measuring: %1 of about %2</source>
        <translation>Messung: %1 von etwa %2</translation>
    </message>
    <message>
        <source>Measuring %3: %1 of about %2</source>
        <translation>Messung %3: %1 von etwa %2</translation>
    </message>
    <message>
        <source>, %1 left</source>
        <translation>, noch %1</translation>
    </message>
    <message>
        <source>Finished: %1</source>
        <translation>Fertig: %1</translation>
    </message>
    <message>
        <source>Finished: nothing was measured</source>
        <translation>Fertig: nichts wurde gemessen</translation>
    </message>
    <message>
        <source>, scored</source>
        <translation>, bewertet</translation>
    </message>
    <message>
        <source>, all scored</source>
        <translation>, alle bewertet</translation>
    </message>
    <message>
        <source>, %1 not scored</source>
        <translation>, %1 nicht bewertet</translation>
    </message>
    <message>
        <source>Earlier run %1: %2, %3 scored</source>
        <translation>Früherer Messlauf %1: %2, %3 bewertet</translation>
    </message>
    <message>
        <source>Ready: choose a line and press Start</source>
        <translation>Bereit: Leitung wählen und „Start“ drücken</translation>
    </message>
    <message>
        <source>Ready: Start will use %1</source>
        <translation>Bereit: „Start“ braucht %1</translation>
    </message>
    <message>
        <source>Waiting for %1</source>
        <translation>Warten auf %1</translation>
    </message>
    <message>
        <source>Resuming: connecting to both nodes</source>
        <translation>Fortsetzen: Verbindung zu beiden Knoten</translation>
    </message>
    <message>
        <source>Starting the simulated line</source>
        <translation>Die simulierte Leitung startet</translation>
    </message>
    <message>
        <source>Connecting to both nodes</source>
        <translation>Verbindung zu beiden Knoten</translation>
    </message>
    <message>
        <source>Stopping: the sentence under way is finished first</source>
        <translation>Ende folgt: der laufende Satz wird noch beendet</translation>
    </message>
    <message>
        <source>Stopped: %1</source>
        <translation>Angehalten: %1</translation>
    </message>
    <message>
        <source>Ended early: %1</source>
        <translation>Vorzeitig beendet: %1</translation>
    </message>
    <message>
        <source>about %1 min of line time</source>
        <translation>etwa %1 min Leitungszeit</translation>
    </message>
    <message>
        <source>%1 to %2 min of line time</source>
        <translation>%1 bis %2 min Leitungszeit</translation>
    </message>
    <message>
        <source>, one direction at a time</source>
        <translation>, eine Richtung nach der anderen</translation>
    </message>
    <message>
        <source>A to B</source>
        <translation>A nach B</translation>
    </message>
    <message>
        <source>B to A</source>
        <translation>B nach A</translation>
    </message>
    <message>
        <source>Scored</source>
        <translation>Bewertet</translation>
    </message>
    <message>
        <source>Nothing of the sentence was found</source>
        <translation>Vom Satz wurde nichts gefunden</translation>
    </message>
    <message>
        <source>What arrived does not match the sentence</source>
        <translation>Was ankam, passt nicht zum Satz</translation>
    </message>
    <message>
        <source>No speech in what was received</source>
        <translation>Im Empfangenen ist keine Sprache</translation>
    </message>
    <message>
        <source>Too little arrived</source>
        <translation>Zu wenig kam an</translation>
    </message>
    <message>
        <source>The receiver&apos;s input was overdriven</source>
        <translation>Der Eingang des Empfängers war übersteuert</translation>
    </message>
    <message>
        <source>A recording could not be used</source>
        <translation>Eine Aufnahme war nicht verwendbar</translation>
    </message>
    <message>
        <source>Spoilt by the sound device, the machine or another sender</source>
        <translation>Durch Tongerät, Rechner oder einen anderen Sender verdorben</translation>
    </message>
    <message>
        <source>The line was lost</source>
        <translation>Die Leitung ging verloren</translation>
    </message>
    <message>
        <source>Stopped before it was measured</source>
        <translation>Vor der Messung angehalten</translation>
    </message>
    <message>
        <source>Unknown outcome</source>
        <translation>Unbekannter Ausgang</translation>
    </message>
    <message>
        <source>The model&apos;s own error comes on top and is not known.</source>
        <translation>Hinzu kommt der Fehler des Modells; er ist nicht bekannt.</translation>
    </message>
    <message>
        <source>The model&apos;s own error comes on top: about ±%1 MOS (1 σ, against %2).</source>
        <translation>Hinzu kommt der Fehler des Modells: etwa ±%1 MOS (1 σ, gegen %2).</translation>
    </message>
    <message>
        <source>1 measurement</source>
        <translation>1 Messung</translation>
    </message>
    <message>
        <source>%1 measurements</source>
        <translation>%1 Messungen</translation>
    </message>
    <message>
        <source>yyyy-MM-dd HH:mm</source>
        <translation>dd.MM.yyyy HH:mm</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 s</translation>
    </message>
    <message>
        <source>%1 min</source>
        <translation>%1 min</translation>
    </message>
    <message>
        <source>%1 %2 s</source>
        <translation>%1 %2 s</translation>
    </message>
    <message>
        <source>%1 h</source>
        <translation>%1 h</translation>
    </message>
    <message>
        <source>%1 %2 min</source>
        <translation>%1 %2 min</translation>
    </message>
    <message>
        <source>The chosen line is simulated and has no equipment. Connect to a partner, or choose &quot;Two nodes&quot; on the Measure page, to check a whole line</source>
        <translation>Die gewählte Leitung ist simuliert und hat keine Geräte. Um eine ganze Leitung zu prüfen, verbinden Sie sich mit einer Gegenstelle, oder wählen Sie „Zwei Knoten“ auf der Seite „Messung“</translation>
    </message>
    <message>
        <source>Sends a few sentences both ways and looks at levels, noise, echo, clocks and delay</source>
        <translation>Sendet einige Sätze in beide Richtungen und prüft Pegel, Geräusch, Echo, Takte und Laufzeit</translation>
    </message>
    <message>
        <source>●  mean    ○  mean of what was scored    - -  mean of the direction</source>
        <translation>●  Mittel    ○  Mittel des Bewerteten    - -  Mittel der Richtung</translation>
    </message>
    <message>
        <source>Each stimulus gets a column here as soon as it is measured</source>
        <translation>Jeder Prüfsatz erhält hier eine Spalte, sobald er gemessen ist</translation>
    </message>
    <message>
        <source>mean</source>
        <translation>Mittel</translation>
    </message>
    <message>
        <source>not measured</source>
        <translation>nicht gemessen</translation>
    </message>
    <message>
        <source>so far</source>
        <translation>bisher</translation>
    </message>
    <message>
        <source>, over %1 of %2 stimuli</source>
        <translation>, über %1 von %2 Prüfsätzen</translation>
    </message>
    <message>
        <source>%1 MOS (%2)</source>
        <translation>%1 MOS (%2)</translation>
    </message>
    <message>
        <source>How &amp;good is this line?</source>
        <translation>Wie &amp;gut ist diese Leitung?</translation>
    </message>
    <message>
        <source>Measures until the mean of each direction is known to %1: minutes on most lines</source>
        <translation>Misst, bis der Mittelwert jeder Richtung auf %1 bekannt ist: auf den meisten Leitungen Minuten</translation>
    </message>
    <message>
        <source>How good, in a fi&amp;xed time?</source>
        <translation>Wie gut, in &amp;fester Zeit?</translation>
    </message>
    <message>
        <source>Measures for this much line time; the interval is what it is then</source>
        <translation>Misst so viel Leitungszeit lang; das Intervall ist dann, wie es ist</translation>
    </message>
    <message>
        <source>Is it above a &amp;limit?</source>
        <translation>Über einem Grenz&amp;wert?</translation>
    </message>
    <message>
        <source>Measures until it is clear on which side of the limit each direction lies, or that it is too close to tell</source>
        <translation>Misst, bis klar ist, auf welcher Seite des Grenzwerts jede Richtung liegt, oder dass sie ihm dafür zu nahe ist</translation>
    </message>
    <message>
        <source>How good is each &amp;sentence?</source>
        <translation>Wie gut ist jeder &amp;Satz?</translation>
    </message>
    <message>
        <source>Measures until the mean of each stimulus is known to %1, the rule of NTIA Report 98-354: half an hour and more</source>
        <translation>Misst, bis der Mittelwert jedes Prüfsatzes auf %1 bekannt ist, die Regel von NTIA Report 98-354: eine halbe Stunde und mehr</translation>
    </message>
    <message>
        <source>1 run</source>
        <translation>1 Messlauf</translation>
    </message>
    <message>
        <source>%1 runs</source>
        <translation>%1 Messläufe</translation>
    </message>
    <message>
        <source>Exported to %1</source>
        <translation>Exportiert nach %1</translation>
    </message>
    <message>
        <source>, with 1 recording</source>
        <translation>, mit 1 Aufnahme</translation>
    </message>
    <message>
        <source>, with %1 recordings</source>
        <translation>, mit %1 Aufnahmen</translation>
    </message>
    <message>
        <source>; 1 was not kept</source>
        <translation>; 1 wurde nicht aufbewahrt</translation>
    </message>
    <message>
        <source>; %1 were not kept</source>
        <translation>; %1 wurden nicht aufbewahrt</translation>
    </message>
    <message>
        <source>number of the measurement in its direction</source>
        <translation>Nummer der Messung in ihrer Richtung</translation>
    </message>
    <message>
        <source>%1: each, and the mean so far</source>
        <translation>%1: jede, und das Mittel bisher</translation>
    </message>
    <message>
        <source>comes back %1 dB weaker</source>
        <translation>kommt %1 dB schwächer zurück</translation>
    </message>
    <message>
        <source>comes back %1 dB louder</source>
        <translation>kommt %1 dB lauter zurück</translation>
    </message>
    <message>
        <source>Own delay %1 ms, %2, measured on %3</source>
        <translation>Eigene Laufzeit %1 ms, %2, gemessen am %3</translation>
    </message>
    <message>
        <source>Simulated line, profile %1</source>
        <translation>Simulierte Leitung, Profil %1</translation>
    </message>
    <message>
        <source>✓ Kept: %1 of %2 marks came back after %3 ms, %4 dB weaker.</source>
        <translation>✓ Aufbewahrt: %1 von %2 Marken kamen nach %3 ms zurück, %4 dB schwächer.</translation>
    </message>
    <message>
        <source>⚠ Nothing came back: join the output to the input as in the picture, and raise the level.</source>
        <translation>⚠ Nichts kam zurück: verbinden Sie den Ausgang mit dem Eingang wie im Bild, und erhöhen Sie den Pegel.</translation>
    </message>
    <message>
        <source>⚠ The delay is not steady: %1 of %2 marks came back undisturbed, and they differ by %3 ms. Stop other programs that use the sound device, and measure again.</source>
        <translation>⚠ Die Laufzeit ist nicht stetig: %1 von %2 Marken kamen ungestört zurück, und sie unterscheiden sich um %3 ms. Beenden Sie andere Programme, die das Tongerät verwenden, und messen Sie noch einmal.</translation>
    </message>
    <message>
        <source>Own address: write the name and the host of this end&apos;s account, for example 4711@pbx.example</source>
        <translation>Eigene Adresse: schreiben Sie Name und Rechner des Kontos dieses Endes, zum Beispiel 4711@pbx.example</translation>
    </message>
    <message>
        <source>Number: write whom to call, for example 4712, or 4712@192.0.2.7 without an exchange</source>
        <translation>Nummer: schreiben Sie, wer angerufen wird, zum Beispiel 4712, oder ohne Vermittlung 4712@192.0.2.7</translation>
    </message>
    <message>
        <source>Account: there is no file %1; choose the file with user and password, or leave the field empty</source>
        <translation>Konto: es gibt keine Datei %1; wählen Sie die Datei mit Benutzer und Kennwort, oder lassen Sie das Feld leer</translation>
    </message>
    <message>
        <source>, wideband</source>
        <translation>, Breitband</translation>
    </message>
    <message>
        <source>Scores: a simulated line of G.711 carries the telephone band alone; choose G.722, L16 or the gateway as its codec, or scores of the telephone band</source>
        <translation>Bewertungen: eine simulierte Leitung mit G.711 trägt nur das Telefonband; wählen Sie G.722, L16 oder das Gateway als Codec, oder Bewertungen des Telefonbands</translation>
    </message>
    <message>
        <source>Codec: a profile needs G.711 or the gateway; choose one of them, or no profile</source>
        <translation>Codec: ein Profil braucht G.711 oder das Gateway; wählen Sie eines davon, oder kein Profil</translation>
    </message>
    <message>
        <source>Codec: L16 has no bit errors; write 0 as bit error ratio, or choose another codec</source>
        <translation>Codec: L16 hat keine Bitfehler; schreiben Sie 0 als Bitfehlerrate, oder wählen Sie einen anderen Codec</translation>
    </message>
    <message>
        <source>Following another program&apos;s run: %1</source>
        <translation>Begleitet den Messlauf eines anderen Programms: %1</translation>
    </message>
    <message>
        <source>, every %1 min</source>
        <translation>, alle %1 min</translation>
    </message>
    <message>
        <source>, at %1</source>
        <translation>, um %1</translation>
    </message>
    <message>
        <source>Repeats: write either minutes from start to start, or times of day</source>
        <translation>Wiederholungen: schreiben Sie entweder Minuten von Beginn zu Beginn oder Tageszeiten</translation>
    </message>
    <message>
        <source>For: write for how many hours it is repeated, at most %1; 24 is a day</source>
        <translation>Dauer: schreiben Sie, wie viele Stunden wiederholt wird, höchstens %1; 24 sind ein Tag</translation>
    </message>
    <message>
        <source>Repeats: write minutes, at least 1 and not more than the whole time</source>
        <translation>Wiederholungen: schreiben Sie Minuten, mindestens 1 und nicht mehr als die ganze Zeit</translation>
    </message>
    <message>
        <source>At: write different times of day, for example 9:00, 17:30</source>
        <translation>Tageszeiten: schreiben Sie verschiedene Tageszeiten, zum Beispiel 9:00, 17:30</translation>
    </message>
    <message>
        <source>For: times of day need 24 hours or more</source>
        <translation>Dauer: Tageszeiten brauchen 24 Stunden oder mehr</translation>
    </message>
    <message>
        <source>At: the time zone of this machine is not known; write minutes from start to start, or set the zone of the machine</source>
        <translation>Zu Uhrzeiten: die Zeitzone dieses Rechners ist nicht bekannt; geben Sie Minuten von Beginn zu Beginn an, oder stellen Sie die Zeitzone des Rechners ein</translation>
    </message>
    <message>
        <source>For: this makes one run only; write more hours, or more times of day</source>
        <translation>Dauer: das ergibt nur eine Messung; geben Sie mehr Stunden oder mehr Uhrzeiten an</translation>
    </message>
    <message>
        <source>For: this makes %1 runs, and %2 are the most; write fewer hours, or repeat less often</source>
        <translation>Dauer: das ergibt %1 Messungen, und höchstens %2 sind möglich; geben Sie weniger Stunden an, oder wiederholen Sie seltener</translation>
    </message>
</context>
<context>
    <name>vqas::app::BaselinePanel</name>
    <message>
        <source>Cable the two ends together, as in the picture, and measure both ways. Then choose that run on the page Results and press &quot;Keep as baseline&quot;. Later runs are shown beside it.</source>
        <translation>Stecken Sie die beiden Enden zusammen wie im Bild, und messen Sie in beide Richtungen. Wählen Sie diesen Messlauf dann auf der Seite „Ergebnisse“, und drücken Sie „Als Grundmessung behalten“. Spätere Messläufe stehen daneben.</translation>
    </message>
    <message>
        <source>Baseline: what the equipment itself can do</source>
        <translation>Grundmessung: was die Geräte selbst können</translation>
    </message>
</context>
<context>
    <name>vqas::app::BerSlider</name>
    <message>
        <source>Bit error ratio, logarithmic</source>
        <translation>Bitfehlerrate, logarithmisch</translation>
    </message>
    <message>
        <source>From 1e-6 to 1e-1, and 0 at the left end; the arrow keys take a tenth of a decade, Page up and down a decade. Speech begins to suffer from 1e-6 to 1e-3</source>
        <translation>Von 1e-6 bis 1e-1, und 0 am linken Ende; die Pfeiltasten gehen um eine Zehnteldekade, Bild auf und ab um eine Dekade. Sprache leidet ab 1e-6 bis 1e-3</translation>
    </message>
    <message>
        <source>Bit error ratio as a number</source>
        <translation>Bitfehlerrate als Zahl</translation>
    </message>
    <message>
        <source>0, or a number from 1e-12 to 0.5</source>
        <translation>0 oder eine Zahl von 1e-12 bis 0,5</translation>
    </message>
    <message>
        <source>profile</source>
        <translation>Profil</translation>
    </message>
    <message>
        <source>Bit error ratio: write 0, or a number from 1e-12 to 0.5, for example 1e-5</source>
        <translation>Bitfehlerrate: Schreiben Sie 0 oder eine Zahl von 1e-12 bis 0,5, zum Beispiel 1e-5</translation>
    </message>
</context>
<context>
    <name>vqas::app::CalibrationPanel</name>
    <message>
        <source>Join the output of the device to its own input with a cable. Turn a microphone input down, or use a cable with an attenuator.</source>
        <translation>Verbinden Sie den Ausgang des Geräts mit seinem eigenen Eingang durch ein Kabel. Drehen Sie einen Mikrofoneingang herunter, oder nehmen Sie ein Kabel mit Dämpfungsglied.</translation>
    </message>
    <message>
        <source>Own delay of the device</source>
        <translation>Eigene Laufzeit des Geräts</translation>
    </message>
    <message>
        <source>Sends five marks through the cable and listens for them, in 15 s</source>
        <translation>Sendet fünf Marken durch das Kabel und horcht darauf, in 15 s</translation>
    </message>
    <message>
        <source>Not measured yet: the delays of a run include half of what the device takes itself.</source>
        <translation>Noch nicht gemessen: die Laufzeiten eines Messlaufs enthalten die Hälfte dessen, was das Gerät selbst braucht.</translation>
    </message>
    <message>
        <source>⚠ Choose a sound device above first.</source>
        <translation>⚠ Wählen Sie oben zuerst ein Tongerät.</translation>
    </message>
    <message>
        <source>Listening for the marks that come back; this takes 15 s</source>
        <translation>Horcht auf die Marken, die zurückkommen; das dauert 15 s</translation>
    </message>
    <message>
        <source>Sto&amp;p listening</source>
        <translation>Horchen be&amp;enden</translation>
    </message>
    <message>
        <source>Measure the loo&amp;p</source>
        <translation>Schl&amp;eife messen</translation>
    </message>
</context>
<context>
    <name>vqas::app::CallDialog</name>
    <message>
        <source>File with user and password</source>
        <translation>Datei mit Benutzer und Kennwort</translation>
    </message>
    <message>
        <source>&amp;Own address</source>
        <translation>&amp;Eigene Adresse</translation>
    </message>
    <message>
        <source>&amp;Number</source>
        <translation>&amp;Nummer</translation>
    </message>
    <message>
        <source>&amp;Account</source>
        <translation>&amp;Konto</translation>
    </message>
    <message>
        <source>VQAS must answer at the other end: there a partner waits with a SIP line, and gives you the address and the code for the next step.</source>
        <translation>Am anderen Ende muss VQAS antworten: dort wartet die Gegenstelle mit einer SIP-Leitung und gibt Ihnen Adresse und Code für den nächsten Schritt.</translation>
    </message>
    <message>
        <source>Place a call</source>
        <translation>Anruf aufbauen</translation>
    </message>
    <message>
        <source>Name and host of this end&apos;s account at the exchange; without an exchange any name at this laptop&apos;s address</source>
        <translation>Name und Rechner des Kontos dieses Endes bei der Vermittlung; ohne Vermittlung irgendein Name an der Adresse dieses Laptops</translation>
    </message>
    <message>
        <source>Number at the same exchange, or NAME@HOST:PORT</source>
        <translation>Nummer an derselben Vermittlung, oder NAME@RECHNER:PORT</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>File with user and password, where the exchange asks for them</source>
        <translation>Datei mit Benutzer und Kennwort, wo die Vermittlung danach fragt</translation>
    </message>
    <message>
        <source>Choose the file of the account</source>
        <translation>Datei des Kontos wählen</translation>
    </message>
    <message>
        <source>&amp;Place the call</source>
        <translation>&amp;Anrufen</translation>
    </message>
    <message>
        <source>&amp;HD voice</source>
        <translation>&amp;HD-Sprache</translation>
    </message>
    <message>
        <source>Offers a codec at 16 kHz, as wideband scores need; the other end must offer it, too</source>
        <translation>Bietet einen Codec mit 16 kHz an, wie ihn Breitbandwerte brauchen; das andere Ende muss ihn auch anbieten</translation>
    </message>
</context>
<context>
    <name>vqas::app::ChannelModel</name>
    <message>
        <source>Call %1, %2</source>
        <translation>Anruf %1, %2</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 bis %2</translation>
    </message>
    <message>
        <source>Direction</source>
        <translation>Richtung</translation>
    </message>
    <message>
        <source>Bits</source>
        <translation>Bits</translation>
    </message>
    <message>
        <source>Of G.711 speech that was passed on</source>
        <translation>Der weitergegebenen G.711-Sprache</translation>
    </message>
    <message>
        <source>Errors</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>Wrong bits that the line put in</source>
        <translation>Falsche Bits, die die Leitung einfügte</translation>
    </message>
    <message>
        <source>Measured BER</source>
        <translation>Gemessene BER</translation>
    </message>
    <message>
        <source>Bit error ratio: errors divided by bits</source>
        <translation>Bitfehlerrate: Fehler geteilt durch Bits</translation>
    </message>
    <message>
        <source>95 % interval</source>
        <translation>Intervall 95 %</translation>
    </message>
    <message>
        <source>Of the bit error ratio (Clopper and Pearson)</source>
        <translation>Der Bitfehlerrate (Clopper und Pearson)</translation>
    </message>
    <message>
        <source>Bursts</source>
        <translation>Bündel</translation>
    </message>
    <message>
        <source>Groups of two wrong bits or more; 32 good bits end a group</source>
        <translation>Gruppen von zwei falschen Bits oder mehr; 32 gute Bits beenden eine Gruppe</translation>
    </message>
    <message>
        <source>Packets</source>
        <translation>Pakete</translation>
    </message>
    <message>
        <source>That came; a line without packets has none</source>
        <translation>Die kamen; eine Leitung ohne Pakete hat keine</translation>
    </message>
    <message>
        <source>Dropped</source>
        <translation>Verworfen</translation>
    </message>
    <message>
        <source>Packets that the relay left out</source>
        <translation>Pakete, die das Relais ausließ</translation>
    </message>
</context>
<context>
    <name>vqas::app::ChannelPage</name>
    <message>
        <source>Counters of the line</source>
        <translation>Zähler der Leitung</translation>
    </message>
    <message>
        <source>Nothing runs through the line yet</source>
        <translation>Noch läuft nichts durch die Leitung</translation>
    </message>
    <message>
        <source>Which line</source>
        <translation>Welche Leitung</translation>
    </message>
    <message>
        <source>What it does</source>
        <translation>Was sie tut</translation>
    </message>
    <message>
        <source>S&amp;imulated line of this laptop</source>
        <translation>S&amp;imulierte Leitung dieses Laptops</translation>
    </message>
    <message>
        <source>Speech runs through a G.711 line in this program, so that you see and hear its faults</source>
        <translation>Sprache läuft durch eine G.711-Leitung in diesem Programm, damit Sie ihre Fehler sehen und hören</translation>
    </message>
    <message>
        <source>&amp;Running relay</source>
        <translation>Laufendes &amp;Relais</translation>
    </message>
    <message>
        <source>&quot;vqas relay&quot; in a live call on this laptop; what you change here, it does at once</source>
        <translation>„vqas relay“ in einem laufenden Anruf auf diesem Laptop; was Sie hier ändern, tut es sofort</translation>
    </message>
    <message>
        <source>Control address of the relay</source>
        <translation>Steueradresse des Relais</translation>
    </message>
    <message>
        <source>As the relay printed it: start it with --control 127.0.0.1:7813</source>
        <translation>Wie das Relais sie ausgab: starten Sie es mit --control 127.0.0.1:7813</translation>
    </message>
    <message>
        <source>&amp;Loudspeaker plays what comes out</source>
        <translation>&amp;Lautsprecher spielt, was herauskommt</translation>
    </message>
    <message>
        <source>Through the usual sound device of this laptop</source>
        <translation>Über das übliche Tongerät dieses Laptops</translation>
    </message>
    <message>
        <source>both directions</source>
        <translation>beide Richtungen</translation>
    </message>
    <message>
        <source>none: as set below</source>
        <translation>keines: wie unten eingestellt</translation>
    </message>
    <message>
        <source>A line with all of its faults, as they change with time</source>
        <translation>Eine Leitung mit all ihren Fehlern, wie sie sich mit der Zeit ändern</translation>
    </message>
    <message>
        <source>One way; a satellite hop has about 250 ms</source>
        <translation>Eine Richtung; eine Satellitenstrecke hat etwa 250 ms</translation>
    </message>
    <message>
        <source>Share of the packets that never arrive</source>
        <translation>Anteil der Pakete, die nie ankommen</translation>
    </message>
    <message>
        <source> bits</source>
        <translation> Bits</translation>
    </message>
    <message>
        <source>Length of the burst in bits</source>
        <translation>Länge des Bündels in Bits</translation>
    </message>
    <message>
        <source>64 bits are 1 ms of speech</source>
        <translation>64 Bits sind 1 ms Sprache</translation>
    </message>
    <message>
        <source>B&amp;urst</source>
        <translation>B&amp;ündel</translation>
    </message>
    <message>
        <source>The next bits are all wrong</source>
        <translation>Die nächsten Bits sind alle falsch</translation>
    </message>
    <message>
        <source>Measure a li&amp;ne like this</source>
        <translation>Solche Leitung &amp;messen</translation>
    </message>
    <message>
        <source>A trial on a simulated line with these faults, both ways</source>
        <translation>Ein Versuch auf einer simulierten Leitung mit diesen Fehlern, in beide Richtungen</translation>
    </message>
    <message>
        <source>&amp;Applies to</source>
        <translation>&amp;Gilt für</translation>
    </message>
    <message>
        <source>&amp;Profile</source>
        <translation>&amp;Profil</translation>
    </message>
    <message>
        <source>&amp;Bit error ratio</source>
        <translation>&amp;Bitfehlerrate</translation>
    </message>
    <message>
        <source>&amp;Delay</source>
        <translation>Lau&amp;fzeit</translation>
    </message>
    <message>
        <source>Pac&amp;ket loss</source>
        <translation>Pa&amp;ketverlust</translation>
    </message>
    <message>
        <source>Starting the line</source>
        <translation>Die Leitung startet</translation>
    </message>
    <message>
        <source>Connecting to the relay</source>
        <translation>Verbindung zum Relais</translation>
    </message>
    <message>
        <source>The relay has no call now; what you set is for those to come.</source>
        <translation>Das Relais hat gerade keinen Anruf; was Sie einstellen, gilt für die kommenden.</translation>
    </message>
    <message>
        <source>Speech runs through the line.</source>
        <translation>Sprache läuft durch die Leitung.</translation>
    </message>
    <message>
        <source>Connected.</source>
        <translation>Verbunden.</translation>
    </message>
    <message>
        <source>&amp;Stop the line</source>
        <translation>Leitung &amp;anhalten</translation>
    </message>
    <message>
        <source>&amp;Start the line</source>
        <translation>Leitung &amp;starten</translation>
    </message>
    <message>
        <source>Dis&amp;connect</source>
        <translation>Tre&amp;nnen</translation>
    </message>
    <message>
        <source>&amp;Connect</source>
        <translation>Ver&amp;binden</translation>
    </message>
</context>
<context>
    <name>vqas::app::CheckModel</name>
    <message>
        <source>Verdict</source>
        <translation>Urteil</translation>
    </message>
    <message>
        <source>Direction</source>
        <translation>Richtung</translation>
    </message>
    <message>
        <source>Item</source>
        <translation>Punkt</translation>
    </message>
    <message>
        <source>Found</source>
        <translation>Gefunden</translation>
    </message>
    <message>
        <source>What to do</source>
        <translation>Was zu tun ist</translation>
    </message>
</context>
<context>
    <name>vqas::app::CheckPage</name>
    <message>
        <source>Checklist of the line</source>
        <translation>Prüfliste der Leitung</translation>
    </message>
    <message>
        <source>Nothing has been checked yet</source>
        <translation>Noch nichts wurde geprüft</translation>
    </message>
    <message>
        <source>&amp;Check the line</source>
        <translation>Leitung &amp;prüfen</translation>
    </message>
    <message>
        <source>Less than a minute; the nodes are those of the Measure page</source>
        <translation>Weniger als eine Minute; die Knoten sind die der Seite „Messung“</translation>
    </message>
    <message>
        <source>&amp;Stop</source>
        <translation>&amp;Anhalten</translation>
    </message>
    <message>
        <source>Checking, part %1 of %2</source>
        <translation>Prüfung, Teil %1 von %2</translation>
    </message>
    <message>
        <source>Waiting for your answer</source>
        <translation>Warten auf Ihre Antwort</translation>
    </message>
    <message>
        <source>Connecting to both nodes</source>
        <translation>Verbindung zu beiden Knoten</translation>
    </message>
</context>
<context>
    <name>vqas::app::DirectionPanel</name>
    <message>
        <source>Plot of MOS by stimulus, %1</source>
        <translation>Bild des MOS nach Prüfsatz, %1</translation>
    </message>
    <message>
        <source>. The table Numbers has the same figures</source>
        <translation>. Die Tabelle „Zahlen“ enthält dieselben Werte</translation>
    </message>
    <message>
        <source>Mean %1, %2</source>
        <translation>Mittlerer %1, %2</translation>
    </message>
</context>
<context>
    <name>vqas::app::EndPanel</name>
    <message>
        <source>&amp;End</source>
        <translation>&amp;Ende</translation>
    </message>
    <message>
        <source>&amp;Line</source>
        <translation>&amp;Leitung</translation>
    </message>
    <message>
        <source>&amp;Port</source>
        <translation>&amp;Port</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>Adresse</translation>
    </message>
    <message>
        <source>Fingerprint</source>
        <translation>Fingerabdruck</translation>
    </message>
    <message>
        <source>Code</source>
        <translation>Code</translation>
    </message>
    <message>
        <source>Save a pairing file for your partner</source>
        <translation>Kopplungsdatei für die Gegenstelle speichern</translation>
    </message>
    <message>
        <source>This laptop</source>
        <translation>Dieser Laptop</translation>
    </message>
    <message>
        <source>Each end of the line has its own letter; usually the one that measures is A</source>
        <translation>Jedes Ende der Leitung hat seinen Buchstaben; meist ist das messende A</translation>
    </message>
    <message>
        <source>audio:…, rtp:… or sip:…</source>
        <translation>audio:…, rtp:… oder sip:…</translation>
    </message>
    <message>
        <source>What the line is connected to: a sound device, audio:NAME?host=alsa; RTP, rtp:HERE:PORT/THERE:PORT; or a call that this end makes or answers, sip:USER@HOST;dial=USER@HOST;account=FILE</source>
        <translation>Woran die Leitung angeschlossen ist: ein Tongerät, audio:NAME?host=alsa; RTP, rtp:HIER:PORT/DORT:PORT; oder ein Anruf, den dieses Ende macht oder annimmt, sip:USER@HOST;dial=USER@HOST;account=DATEI</translation>
    </message>
    <message>
        <source>any</source>
        <translation>beliebig</translation>
    </message>
    <message>
        <source>TCP port at which your partner reaches this laptop; a firewall must let it through</source>
        <translation>TCP-Port, über den die Gegenstelle diesen Laptop erreicht; eine Firewall muss ihn durchlassen</translation>
    </message>
    <message>
        <source>Sa&amp;ve pairing file…</source>
        <translation>&amp;Kopplungsdatei speichern…</translation>
    </message>
    <message>
        <source>Writes address, fingerprint and code to a file for your partner: keep it as a secret</source>
        <translation>Schreibt Adresse, Fingerabdruck und Code in eine Datei für die Gegenstelle: halten Sie sie geheim</translation>
    </message>
    <message>
        <source>This laptop: End</source>
        <translation>Dieser Laptop: Ende</translation>
    </message>
    <message>
        <source>This laptop: Line</source>
        <translation>Dieser Laptop: Leitung</translation>
    </message>
    <message>
        <source>This laptop: Port</source>
        <translation>Dieser Laptop: Port</translation>
    </message>
    <message>
        <source>%1 of this laptop</source>
        <translation>%1 dieses Laptops</translation>
    </message>
    <message>
        <source>⚠ Choose what the line is connected to: a sound device, an RTP address, or a SIP call.</source>
        <translation>⚠ Wählen Sie, woran die Leitung angeschlossen ist: ein Tongerät, eine RTP-Adresse oder ein SIP-Anruf.</translation>
    </message>
    <message>
        <source>Opening the line</source>
        <translation>Die Leitung wird geöffnet</translation>
    </message>
    <message>
        <source>Measuring: %1 holds this end of the line</source>
        <translation>Messung: %1 belegt dieses Ende der Leitung</translation>
    </message>
    <message>
        <source>Waiting: read address and code out to your partner, and compare the fingerprint word by word</source>
        <translation>Warten: lesen Sie der Gegenstelle Adresse und Code vor, und vergleichen Sie den Fingerabdruck Wort für Wort</translation>
    </message>
    <message>
        <source>This end of the line is ready</source>
        <translation>Dieses Ende der Leitung ist bereit</translation>
    </message>
    <message>
        <source>&amp;Stop this end</source>
        <translation>Dieses Ende &amp;anhalten</translation>
    </message>
    <message>
        <source>&amp;Wait for a partner</source>
        <translation>Auf Gegenstelle wa&amp;rten</translation>
    </message>
    <message>
        <source>S&amp;tart this end</source>
        <translation>Dieses Ende &amp;starten</translation>
    </message>
    <message>
        <source>The pairing file is saved: keep it as a secret until you stop this end</source>
        <translation>Die Kopplungsdatei ist gespeichert: halten Sie sie geheim, bis Sie dieses Ende anhalten</translation>
    </message>
</context>
<context>
    <name>vqas::app::EquipmentPanel</name>
    <message>
        <source>&amp;Device</source>
        <translation>&amp;Gerät</translation>
    </message>
    <message>
        <source>Sen&amp;ds</source>
        <translation>&amp;Sendet</translation>
    </message>
    <message>
        <source>Sent</source>
        <translation>Gesendet</translation>
    </message>
    <message>
        <source>Level: Sent</source>
        <translation>Pegel: Gesendet</translation>
    </message>
    <message>
        <source>Arrives</source>
        <translation>Kommt an</translation>
    </message>
    <message>
        <source>Level: Arrives</source>
        <translation>Pegel: Kommt an</translation>
    </message>
    <message>
        <source>This laptop&apos;s line</source>
        <translation>Die Leitung dieses Laptops</translation>
    </message>
    <message>
        <source>a sound device</source>
        <translation>ein Tongerät</translation>
    </message>
    <message>
        <source>The sound devices of this laptop; the list follows what is plugged in and out</source>
        <translation>Die Tongeräte dieses Laptops; die Liste folgt dem Ein- und Ausstecken</translation>
    </message>
    <message>
        <source>Device of this laptop&apos;s line</source>
        <translation>Gerät der Leitung dieses Laptops</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>nichts</translation>
    </message>
    <message>
        <source>a tone of 1020 Hz</source>
        <translation>einen Ton von 1020 Hz</translation>
    </message>
    <message>
        <source>speech</source>
        <translation>Sprache</translation>
    </message>
    <message>
        <source>At the level at which sentences are sent, %1 dBm0</source>
        <translation>Mit dem Pegel, mit dem Sätze gesendet werden, %1 dBm0</translation>
    </message>
    <message>
        <source>Test signal</source>
        <translation>Prüfsignal</translation>
    </message>
    <message>
        <source>&amp;Loudspeaker plays what arrives</source>
        <translation>&amp;Lautsprecher spielt, was ankommt</translation>
    </message>
    <message>
        <source>Through the usual output of this laptop; with a sound device alone</source>
        <translation>Über die übliche Ausgabe dieses Laptops; nur bei einem Tongerät</translation>
    </message>
    <message>
        <source>⚠ This device is gone: plug it in again, or choose another one.</source>
        <translation>⚠ Dieses Gerät ist weg: stecken Sie es wieder ein, oder wählen Sie ein anderes.</translation>
    </message>
    <message>
        <source>⚠ Choose a sound device, or write the name of a line.</source>
        <translation>⚠ Wählen Sie ein Tongerät, oder schreiben Sie den Namen einer Leitung.</translation>
    </message>
    <message>
        <source>Opening the line</source>
        <translation>Die Leitung wird geöffnet</translation>
    </message>
    <message>
        <source>The line is open.</source>
        <translation>Die Leitung ist offen.</translation>
    </message>
    <message>
        <source>&amp;Close the line</source>
        <translation>Leitung s&amp;chließen</translation>
    </message>
    <message>
        <source>&amp;Open the line and meter it</source>
        <translation>Leitung ö&amp;ffnen, Pegel zeigen</translation>
    </message>
</context>
<context>
    <name>vqas::app::ExportDialog</name>
    <message>
        <source>What of this run do you want?</source>
        <translation>Was wollen Sie von diesem Messlauf?</translation>
    </message>
    <message>
        <source>Export a run</source>
        <translation>Messlauf exportieren</translation>
    </message>
    <message>
        <source>&amp;Report as a web page (HTML)</source>
        <translation>&amp;Bericht als Webseite (HTML)</translation>
    </message>
    <message>
        <source>Report to &amp;print (PDF); takes some seconds</source>
        <translation>Bericht zum &amp;Drucken (PDF); dauert einige Sekunden</translation>
    </message>
    <message>
        <source>&amp;Figures as a table (CSV)</source>
        <translation>&amp;Zahlen als Tabelle (CSV)</translation>
    </message>
    <message>
        <source>Recordings of what &amp;arrived</source>
        <translation>&amp;Aufnahmen dessen, was ankam</translation>
    </message>
    <message>
        <source>&amp;Choose folder…</source>
        <translation>&amp;Ordner wählen…</translation>
    </message>
    <message>
        <source>Export into this folder</source>
        <translation>In diesen Ordner exportieren</translation>
    </message>
</context>
<context>
    <name>vqas::app::FieldForm</name>
    <message>
        <source>Choose: %1</source>
        <translation>Wählen: %1</translation>
    </message>
</context>
<context>
    <name>vqas::app::FindingsView</name>
    <message>
        <source>What the results mean</source>
        <translation>Was die Ergebnisse bedeuten</translation>
    </message>
    <message>
        <source>Nothing has been measured yet</source>
        <translation>Noch nichts wurde gemessen</translation>
    </message>
    <message>
        <source>Cabled together</source>
        <translation>Zusammengesteckt</translation>
    </message>
</context>
<context>
    <name>vqas::app::GoalFields</name>
    <message>
        <source>Line time in min</source>
        <translation>Leitungszeit in min</translation>
    </message>
    <message>
        <source>The run ends before this much time of the line is used</source>
        <translation>Der Messlauf endet, bevor so viel Zeit der Leitung verbraucht ist</translation>
    </message>
    <message>
        <source>Limit in MOS</source>
        <translation>Grenzwert in MOS</translation>
    </message>
    <message>
        <source>The result is pass, fail, or too close to tell; the model&apos;s own error counts</source>
        <translation>Das Ergebnis ist bestanden, nicht bestanden oder zu nahe; der Fehler des Modells zählt mit</translation>
    </message>
    <message>
        <source>Most measurements &amp;per stimulus</source>
        <translation>Höchstzahl &amp;Messungen pro Satz</translation>
    </message>
    <message>
        <source>Measuring ends here even if the answer is not clear yet</source>
        <translation>Hier endet die Messung, auch wenn die Antwort noch nicht klar ist</translation>
    </message>
</context>
<context>
    <name>vqas::app::KeptRunsModel</name>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>Started</source>
        <translation>Beginn</translation>
    </message>
    <message>
        <source>Site</source>
        <translation>Standort</translation>
    </message>
    <message>
        <source>Circuit</source>
        <translation>Leitungs-Nr.</translation>
    </message>
    <message>
        <source>Line</source>
        <translation>Leitung</translation>
    </message>
    <message>
        <source>A to B</source>
        <translation>A nach B</translation>
    </message>
    <message>
        <source>B to A</source>
        <translation>B nach A</translation>
    </message>
    <message>
        <source>Scored</source>
        <translation>Bewertet</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>Notizen</translation>
    </message>
</context>
<context>
    <name>vqas::app::LineFields</name>
    <message>
        <source>S&amp;imulated line</source>
        <translation>S&amp;imulierte Leitung</translation>
    </message>
    <message>
        <source>A 64 kb/s G.711 line on this computer, to see how VQAS works</source>
        <translation>Eine G.711-Leitung mit 64 kbit/s in diesem Rechner, um VQAS kennenzulernen</translation>
    </message>
    <message>
        <source>Two &amp;nodes</source>
        <translation>Zwei &amp;Knoten</translation>
    </message>
    <message>
        <source>Nodes that run at the two ends of a line</source>
        <translation>Knoten, die an den beiden Enden einer Leitung laufen</translation>
    </message>
    <message>
        <source>Share of the line&apos;s bits that arrive wrong; speech begins to suffer from 1e-6 to 1e-3</source>
        <translation>Anteil der Bits der Leitung, die falsch ankommen; die Sprache leidet ab 1e-6 bis 1e-3</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>&amp;Bit error ratio</source>
        <translation>&amp;Bitfehlerrate</translation>
    </message>
    <message>
        <source>&amp;Delay in ms</source>
        <translation>&amp;Laufzeit in ms</translation>
    </message>
    <message>
        <source>One way, in milliseconds; a satellite hop has about 250</source>
        <translation>Eine Richtung, in Millisekunden; eine Satellitenstrecke hat etwa 250</translation>
    </message>
    <message>
        <source>The control address that `vqas node` printed when it was started, ws://… or wss://…</source>
        <translation>Die Steueradresse, die „vqas node“ beim Start ausgegeben hat, ws://… oder wss://…</translation>
    </message>
    <message>
        <source>For a wss:// node that asks for a token: the file that &quot;vqas node token add NAME --pairing FILE&quot; wrote there, or a file with the token alone. Only its path is remembered</source>
        <translation>Für einen Knoten mit wss://, der ein Token verlangt: die Datei, die dort „vqas node token add NAME --pairing DATEI“ geschrieben hat, oder eine Datei nur mit dem Token. Gemerkt wird nur ihr Pfad</translation>
    </message>
    <message>
        <source>Node &amp;A</source>
        <translation>Knoten &amp;A</translation>
    </message>
    <message>
        <source>Pairing or token file of A</source>
        <translation>Kopplungs- oder Token-Datei von A</translation>
    </message>
    <message>
        <source>Node &amp;B</source>
        <translation>Knoten &amp;B</translation>
    </message>
    <message>
        <source>Pairing or token file of B</source>
        <translation>Kopplungs- oder Token-Datei von B</translation>
    </message>
    <message>
        <source>none: as set below</source>
        <translation>keines: wie unten eingestellt</translation>
    </message>
    <message>
        <source>A line with all of its faults, as they change with time; the page Channel shows what it does</source>
        <translation>Eine Leitung mit all ihren Fehlern, wie sie sich mit der Zeit ändern; die Seite „Kanal“ zeigt, was sie tut</translation>
    </message>
    <message>
        <source>&amp;Profile</source>
        <translation>&amp;Profil</translation>
    </message>
    <message>
        <source>G.711: telephone band</source>
        <translation>G.711: Telefonband</translation>
    </message>
    <message>
        <source>Gateway: 16 kHz ends, G.711 between</source>
        <translation>Gateway: Enden mit 16 kHz, dazwischen G.711</translation>
    </message>
    <message>
        <source>G.722: wideband</source>
        <translation>G.722: Breitband</translation>
    </message>
    <message>
        <source>L16: wideband, no errors</source>
        <translation>L16: Breitband, ohne Fehler</translation>
    </message>
    <message>
        <source>What carries the speech; wideband scores need an end at 16 kHz</source>
        <translation>Was die Sprache trägt; Bewertungen im Breitband brauchen Enden mit 16 kHz</translation>
    </message>
    <message>
        <source>C&amp;odec</source>
        <translation>Cod&amp;ec</translation>
    </message>
</context>
<context>
    <name>vqas::app::LinkPanel</name>
    <message>
        <source>&amp;Address</source>
        <translation>A&amp;dresse</translation>
    </message>
    <message>
        <source>C&amp;ode</source>
        <translation>C&amp;ode</translation>
    </message>
    <message>
        <source>Pairing &amp;file</source>
        <translation>Kopplungsdate&amp;i</translation>
    </message>
    <message>
        <source>Fingerprint</source>
        <translation>Fingerabdruck</translation>
    </message>
    <message>
        <source>Expected</source>
        <translation>Erwartet</translation>
    </message>
    <message>
        <source>Pairing file of your partner</source>
        <translation>Kopplungsdatei der Gegenstelle</translation>
    </message>
    <message>
        <source>Your partner</source>
        <translation>Ihre Gegenstelle</translation>
    </message>
    <message>
        <source>The&amp;y are the same: trust</source>
        <translation>Sie sind &amp;gleich: vertrauen</translation>
    </message>
    <message>
        <source>They diffe&amp;r</source>
        <translation>Sie sind versc&amp;hieden</translation>
    </message>
    <message>
        <source>Fingerprint of your partner&apos;s end</source>
        <translation>Fingerabdruck der Gegenstelle</translation>
    </message>
    <message>
        <source>Fingerprint that was expected</source>
        <translation>Erwarteter Fingerabdruck</translation>
    </message>
    <message>
        <source>As your partner&apos;s page shows it; the port is 7811 unless you write another one</source>
        <translation>Wie die Seite der Gegenstelle sie zeigt; der Port ist 7811, wenn Sie keinen anderen schreiben</translation>
    </message>
    <message>
        <source>Address of your partner</source>
        <translation>Adresse der Gegenstelle</translation>
    </message>
    <message>
        <source>six words</source>
        <translation>sechs Wörter</translation>
    </message>
    <message>
        <source>The code that your partner reads out. It is not saved</source>
        <translation>Der Code, den die Gegenstelle vorliest. Er wird nicht gespeichert</translation>
    </message>
    <message>
        <source>Code of your partner</source>
        <translation>Code der Gegenstelle</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>In place of the code: the file that your partner saved. Only its path is remembered</source>
        <translation>Statt des Codes: die Datei, die die Gegenstelle gespeichert hat. Gemerkt wird nur ihr Pfad</translation>
    </message>
    <message>
        <source>Choose: pairing file of your partner</source>
        <translation>Wählen: Kopplungsdatei der Gegenstelle</translation>
    </message>
    <message>
        <source>Looking for your partner</source>
        <translation>Die Gegenstelle wird gesucht</translation>
    </message>
    <message>
        <source>You connect to this partner for the first time. Have the fingerprint read out to you, or call to compare it: trust it only if every word is the same</source>
        <translation>Sie verbinden sich zum ersten Mal mit dieser Gegenstelle. Lassen Sie sich den Fingerabdruck vorlesen, oder rufen Sie zum Vergleich an: vertrauen Sie nur, wenn jedes Wort gleich ist</translation>
    </message>
    <message>
        <source>The line is free</source>
        <translation>Die Leitung ist frei</translation>
    </message>
    <message>
        <source>The line is held by %1</source>
        <translation>Die Leitung ist belegt von %1</translation>
    </message>
    <message>
        <source>✓ Connected: end %1, %2
Round trip %3 ms
%4</source>
        <translation>✓ Verbunden: Ende %1, %2
Hin und zurück %3 ms
%4</translation>
    </message>
    <message>
        <source>Dis&amp;connect</source>
        <translation>Tre&amp;nnen</translation>
    </message>
    <message>
        <source>&amp;Connect</source>
        <translation>Ver&amp;binden</translation>
    </message>
</context>
<context>
    <name>vqas::app::ListenView</name>
    <message>
        <source>Measurements</source>
        <translation>Messungen</translation>
    </message>
    <message>
        <source>Received</source>
        <translation>Empfangenes</translation>
    </message>
    <message>
        <source>Play what arrived</source>
        <translation>Abspielen, was ankam</translation>
    </message>
    <message>
        <source>Original</source>
        <translation>Original</translation>
    </message>
    <message>
        <source>Play what was sent</source>
        <translation>Abspielen, was gesendet wurde</translation>
    </message>
    <message>
        <source>Blind A/B</source>
        <translation>Blind A/B</translation>
    </message>
    <message>
        <source>Play both in an order that is told only after your answer</source>
        <translation>Beides abspielen, in einer Reihenfolge, die erst nach Ihrer Antwort gesagt wird</translation>
    </message>
    <message>
        <source>Silence</source>
        <translation>Ruhe</translation>
    </message>
    <message>
        <source>Stop playing</source>
        <translation>Wiedergabe anhalten</translation>
    </message>
    <message>
        <source>The first</source>
        <translation>Das erste</translation>
    </message>
    <message>
        <source>The first of the two was the original</source>
        <translation>Das erste der beiden war das Original</translation>
    </message>
    <message>
        <source>The second</source>
        <translation>Das zweite</translation>
    </message>
    <message>
        <source>The second of the two was the original</source>
        <translation>Das zweite der beiden war das Original</translation>
    </message>
    <message>
        <source>Playing what arrived</source>
        <translation>Wiedergabe dessen, was ankam</translation>
    </message>
    <message>
        <source>Playing what was sent</source>
        <translation>Wiedergabe dessen, was gesendet wurde</translation>
    </message>
    <message>
        <source>Choose a measurement to listen to it</source>
        <translation>Wählen Sie eine Messung, um sie anzuhören</translation>
    </message>
    <message>
        <source>The recording of this measurement was not kept</source>
        <translation>Die Aufnahme dieser Messung wurde nicht aufbewahrt</translation>
    </message>
    <message>
        <source>Playing both. Which one was the original?</source>
        <translation>Wiedergabe von beiden. Was war das Original?</translation>
    </message>
    <message>
        <source>Right: the original was the first</source>
        <translation>Richtig: das Original war das erste</translation>
    </message>
    <message>
        <source>Right: the original was the second</source>
        <translation>Richtig: das Original war das zweite</translation>
    </message>
    <message>
        <source>No: the original was the first</source>
        <translation>Nein: das Original war das erste</translation>
    </message>
    <message>
        <source>No: the original was the second</source>
        <translation>Nein: das Original war das zweite</translation>
    </message>
</context>
<context>
    <name>vqas::app::MainWindow</name>
    <message>
        <source>Follow the run in this results folder</source>
        <translation>Der Messung in diesem Ergebnisordner folgen</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>Start</translation>
    </message>
    <message>
        <source>Partner</source>
        <translation>Gegenstelle</translation>
    </message>
    <message>
        <source>Measure</source>
        <translation>Messung</translation>
    </message>
    <message>
        <source>Equipment</source>
        <translation>Geräte</translation>
    </message>
    <message>
        <source>Results</source>
        <translation>Ergebnisse</translation>
    </message>
    <message>
        <source>&amp;Keep</source>
        <translation>Be&amp;halten</translation>
    </message>
    <message>
        <source>The line: %1</source>
        <translation>Die Leitung: %1</translation>
    </message>
    <message>
        <source>Do &amp;not trust</source>
        <translation>Nicht &amp;vertrauen</translation>
    </message>
    <message>
        <source>&amp;Trust and continue</source>
        <translation>Vertra&amp;uen und weiter</translation>
    </message>
    <message>
        <source>A measurement is running. Stop it and close? What was measured is kept</source>
        <translation>Eine Messung läuft. Anhalten und schließen? Was gemessen wurde, bleibt</translation>
    </message>
    <message>
        <source>Stop and &amp;close</source>
        <translation>Anhalten und schli&amp;eßen</translation>
    </message>
    <message>
        <source>&amp;Keep measuring</source>
        <translation>Weiter &amp;messen</translation>
    </message>
    <message>
        <source>Channel</source>
        <translation>Kanal</translation>
    </message>
    <message>
        <source>This laptop is one end of a line already: stop this end first, then place the call</source>
        <translation>Dieser Laptop ist schon ein Ende einer Leitung: beenden Sie zuerst dieses Ende, dann rufen Sie an</translation>
    </message>
</context>
<context>
    <name>vqas::app::MeasurePage</name>
    <message>
        <source>The plan is not saved: see the marked fields</source>
        <translation>Der Plan ist nicht gespeichert: siehe die markierten Felder</translation>
    </message>
    <message>
        <source>Saved. &quot;vqas measure %1&quot; measures the same</source>
        <translation>Gespeichert. „vqas measure %1“ misst dasselbe</translation>
    </message>
    <message>
        <source>Resume the run in this results folder</source>
        <translation>Den Messlauf in diesem Ergebnisordner fortsetzen</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>Weiter</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>Pause</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>Start</translation>
    </message>
    <message>
        <source>Measure the chosen line</source>
        <translation>Die gewählte Leitung messen</translation>
    </message>
    <message>
        <source>Resume…</source>
        <translation>Fortsetzen…</translation>
    </message>
    <message>
        <source>Resume an interrupted run in its results folder</source>
        <translation>Einen unterbrochenen Messlauf in seinem Ergebnisordner fortsetzen</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>Sounds different</source>
        <translation>Klingt anders</translation>
    </message>
    <message>
        <source>Note that a measurement sounds different from its score, and measure its stimulus again</source>
        <translation>Notieren, dass eine Messung anders klingt als ihre Bewertung, und ihren Prüfsatz erneut messen</translation>
    </message>
    <message>
        <source>Open report</source>
        <translation>Bericht öffnen</translation>
    </message>
    <message>
        <source>Show the report of the last run</source>
        <translation>Den Bericht des letzten Messlaufs zeigen</translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation>Ordner öffnen</translation>
    </message>
    <message>
        <source>Show the results and recordings of the last run</source>
        <translation>Ergebnisse und Aufnahmen des letzten Messlaufs zeigen</translation>
    </message>
    <message>
        <source>Nothing has been measured yet</source>
        <translation>Noch nichts wurde gemessen</translation>
    </message>
    <message>
        <source>Measurements without a score</source>
        <translation>Messungen ohne Bewertung</translation>
    </message>
    <message>
        <source>Figures of each stimulus</source>
        <translation>Werte jedes Prüfsatzes</translation>
    </message>
    <message>
        <source>± is the repeatability: within it lies, with the confidence beside it, the mean of endless measurements. %1</source>
        <translation>± ist die Wiederholgenauigkeit: darin liegt, mit der Sicherheit daneben, der Mittelwert endlos vieler Messungen. %1</translation>
    </message>
    <message>
        <source>Progress of the run</source>
        <translation>Fortschritt des Messlaufs</translation>
    </message>
    <message>
        <source>What it means</source>
        <translation>Was es bedeutet</translation>
    </message>
    <message>
        <source>Numbers</source>
        <translation>Zahlen</translation>
    </message>
    <message>
        <source>Over time</source>
        <translation>Verlauf</translation>
    </message>
    <message>
        <source>Listen</source>
        <translation>Anhören</translation>
    </message>
    <message>
        <source>Noted. This stimulus is measured again, up to the cap</source>
        <translation>Notiert. Dieser Prüfsatz wird erneut gemessen, bis zur Höchstzahl</translation>
    </message>
    <message>
        <source>The note was not kept: %1</source>
        <translation>Die Notiz wurde nicht aufbewahrt: %1</translation>
    </message>
    <message>
        <source>Not scored</source>
        <translation>Nicht bewertet</translation>
    </message>
    <message>
        <source>Not scored (%1)</source>
        <translation>Nicht bewertet (%1)</translation>
    </message>
    <message>
        <source>Every measurement so far was scored</source>
        <translation>Jede Messung wurde bisher bewertet</translation>
    </message>
    <message>
        <source>Every measurement was scored</source>
        <translation>Jede Messung wurde bewertet</translation>
    </message>
    <message>
        <source>&amp;Resume</source>
        <translation>Fortse&amp;tzen</translation>
    </message>
    <message>
        <source>&amp;Dismiss</source>
        <translation>A&amp;usblenden</translation>
    </message>
    <message>
        <source>Stop after the sentence under way and keep the line, or continue. No sentence can be skipped: a mean over other sentences than planned would look like the planned one</source>
        <translation>Nach dem laufenden Satz anhalten und die Leitung behalten, oder weitermessen. Kein Satz kann übersprungen werden: ein Mittel über andere Sätze als geplant sähe aus wie das geplante</translation>
    </message>
    <message>
        <source>Leave</source>
        <translation>Verlassen</translation>
    </message>
    <message>
        <source>Stop now</source>
        <translation>Sofort anhalten</translation>
    </message>
    <message>
        <source>The window measures this plan without its %2. Only &quot;vqas measure %1&quot; heeds them; they stay in the plan when you save it</source>
        <translation>Das Fenster misst diesen Plan ohne: %2. Nur „vqas measure %1“ beachtet das; es bleibt im Plan, wenn Sie ihn sichern</translation>
    </message>
    <message>
        <source>End the run after the sentence under way; then &quot;Stop now&quot; ends it at once. What was measured is kept</source>
        <translation>Beendet die Messung nach dem laufenden Satz; danach beendet „Sofort anhalten“ sie gleich. Gemessenes bleibt erhalten</translation>
    </message>
    <message>
        <source>Noted: %1</source>
        <translation>Vermerkt: %1</translation>
    </message>
    <message>
        <source>Reading the run</source>
        <translation>Die Messung wird gelesen</translation>
    </message>
</context>
<context>
    <name>vqas::app::MeasurementsModel</name>
    <message>
        <source>No.</source>
        <translation>Nr.</translation>
    </message>
    <message>
        <source>Direction</source>
        <translation>Richtung</translation>
    </message>
    <message>
        <source>Stimulus</source>
        <translation>Prüfsatz</translation>
    </message>
    <message>
        <source>Delay</source>
        <translation>Laufzeit</translation>
    </message>
    <message>
        <source>Impairments found</source>
        <translation>Gefundene Störungen</translation>
    </message>
    <message>
        <source>What happened</source>
        <translation>Was geschah</translation>
    </message>
    <message>
        <source>Why, and what helps</source>
        <translation>Warum, und was hilft</translation>
    </message>
</context>
<context>
    <name>vqas::app::MessageBar</name>
    <message>
        <source>&amp;Dismiss</source>
        <translation>A&amp;usblenden</translation>
    </message>
</context>
<context>
    <name>vqas::app::NoteDialog</name>
    <message>
        <source>&amp;Measurement</source>
        <translation>&amp;Messung</translation>
    </message>
    <message>
        <source>What you &amp;heard</source>
        <translation>Was Sie &amp;gehört haben</translation>
    </message>
    <message>
        <source>The score is not changed. The note appears in the report, and the stimulus is measured again.</source>
        <translation>Die Bewertung bleibt. Die Notiz steht im Bericht, und der Prüfsatz wird erneut gemessen.</translation>
    </message>
    <message>
        <source>Sounds different</source>
        <translation>Klingt anders</translation>
    </message>
    <message>
        <source>For example: every word was clear</source>
        <translation>Zum Beispiel: jedes Wort war klar</translation>
    </message>
    <message>
        <source>Note and measure more</source>
        <translation>Notieren und mehr messen</translation>
    </message>
</context>
<context>
    <name>vqas::app::PartnerPage</name>
    <message>
        <source>I &amp;measure; my partner waits</source>
        <translation>Ich &amp;messe; die Gegenstelle wartet</translation>
    </message>
    <message>
        <source>I wa&amp;it; my partner measures</source>
        <translation>Ich &amp;warte; die Gegenstelle misst</translation>
    </message>
    <message>
        <source>&amp;Use this line</source>
        <translation>Diese Leitung &amp;verwenden</translation>
    </message>
    <message>
        <source>Stay on this page while your partner measures. What your partner measures is kept there</source>
        <translation>Bleiben Sie auf dieser Seite, während die Gegenstelle misst. Was sie misst, wird dort aufbewahrt</translation>
    </message>
    <message>
        <source>⚠ Both ends have the same letter: stop this end, choose the other letter, and start it again</source>
        <translation>⚠ Beide Enden haben denselben Buchstaben: halten Sie dieses Ende an, wählen Sie den anderen, und starten Sie es wieder</translation>
    </message>
    <message>
        <source>1. Choose the line of this laptop and start this end</source>
        <translation>1. Wählen Sie die Leitung dieses Laptops und starten Sie dieses Ende</translation>
    </message>
    <message>
        <source>3. Both ends are ready</source>
        <translation>3. Beide Enden sind bereit</translation>
    </message>
    <message>
        <source>2. Connect to your partner</source>
        <translation>2. Verbinden Sie sich mit der Gegenstelle</translation>
    </message>
</context>
<context>
    <name>vqas::app::ResultsPage</name>
    <message>
        <source>&amp;Show</source>
        <translation>An&amp;zeigen</translation>
    </message>
    <message>
        <source>Shows the plots and measurements of this run, to listen to them</source>
        <translation>Zeigt Bilder und Messungen dieses Messlaufs, auch zum Anhören</translation>
    </message>
    <message>
        <source>Open &amp;report</source>
        <translation>Be&amp;richt öffnen</translation>
    </message>
    <message>
        <source>Open &amp;folder</source>
        <translation>Or&amp;dner öffnen</translation>
    </message>
    <message>
        <source>&amp;Compare</source>
        <translation>&amp;Vergleichen</translation>
    </message>
    <message>
        <source>Ranks the chosen runs, with intervals, on a page</source>
        <translation>Ordnet die gewählten Messläufe nach ihrer Güte, mit Intervallen, auf einer Seite</translation>
    </message>
    <message>
        <source>Res&amp;ume</source>
        <translation>&amp;Fortsetzen</translation>
    </message>
    <message>
        <source>E&amp;xport…</source>
        <translation>E&amp;xportieren…</translation>
    </message>
    <message>
        <source>Copies report, figures and recordings of this run to a folder</source>
        <translation>Kopiert Bericht, Zahlen und Aufnahmen dieses Messlaufs in einen Ordner</translation>
    </message>
    <message>
        <source>Re&amp;move</source>
        <translation>&amp;Entfernen</translation>
    </message>
    <message>
        <source>Moves the chosen runs into the bin; nothing is deleted</source>
        <translation>Legt die gewählten Messläufe in den Papierkorb; nichts wird gelöscht</translation>
    </message>
    <message>
        <source>Put &amp;back</source>
        <translation>Zurückh&amp;olen</translation>
    </message>
    <message>
        <source>Moves the chosen runs out of the bin</source>
        <translation>Holt die gewählten Messläufe aus dem Papierkorb</translation>
    </message>
    <message>
        <source>&amp;Empty the bin…</source>
        <translation>Papierkorb &amp;leeren…</translation>
    </message>
    <message>
        <source>Deletes the runs in the bin</source>
        <translation>Löscht die Messläufe im Papierkorb</translation>
    </message>
    <message>
        <source>B&amp;in</source>
        <translation>Pap&amp;ierkorb</translation>
    </message>
    <message>
        <source>Shows the runs that were removed</source>
        <translation>Zeigt die entfernten Messläufe</translation>
    </message>
    <message>
        <source>Place, circuit, date, note</source>
        <translation>Ort, Leitung, Datum, Notiz</translation>
    </message>
    <message>
        <source>Finds the runs that have every word, in whichever column</source>
        <translation>Findet die Messläufe, die jedes Wort enthalten, gleich in welcher Spalte</translation>
    </message>
    <message>
        <source>Search runs</source>
        <translation>Messläufe suchen</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>Messläufe</translation>
    </message>
    <message>
        <source>Reading the runs in %1</source>
        <translation>Die Messläufe in %1 werden gelesen</translation>
    </message>
    <message>
        <source>The bin is empty</source>
        <translation>Der Papierkorb ist leer</translation>
    </message>
    <message>
        <source>No run is in %1 yet</source>
        <translation>In %1 ist noch kein Messlauf</translation>
    </message>
    <message>
        <source>%1 in the bin</source>
        <translation>%1 im Papierkorb</translation>
    </message>
    <message>
        <source>%1 in %2</source>
        <translation>%1 in %2</translation>
    </message>
    <message>
        <source>Comparing</source>
        <translation>Vergleich</translation>
    </message>
    <message>
        <source>Exporting</source>
        <translation>Export</translation>
    </message>
    <message>
        <source>The comparison is in %1 and opens in the browser</source>
        <translation>Der Vergleich steht in %1 und öffnet sich im Browser</translation>
    </message>
    <message>
        <source>%1 moved into the bin</source>
        <translation>In den Papierkorb gelegt: %1</translation>
    </message>
    <message>
        <source>Moving into the bin</source>
        <translation>Wird in den Papierkorb gelegt</translation>
    </message>
    <message>
        <source>%1 put back</source>
        <translation>Zurückgeholt: %1</translation>
    </message>
    <message>
        <source>Putting back</source>
        <translation>Wird zurückgeholt</translation>
    </message>
    <message>
        <source>Delete %1 for good, with all recordings?</source>
        <translation>%1 endgültig löschen, mit allen Aufnahmen?</translation>
    </message>
    <message>
        <source>&amp;Delete</source>
        <translation>Lösche&amp;n</translation>
    </message>
    <message>
        <source>%1 deleted</source>
        <translation>Gelöscht: %1</translation>
    </message>
    <message>
        <source>Deleting</source>
        <translation>Wird gelöscht</translation>
    </message>
    <message>
        <source>%1 is the baseline now</source>
        <translation>%1 ist jetzt die Grundmessung</translation>
    </message>
    <message>
        <source>Keeping the baseline</source>
        <translation>Die Grundmessung wird aufbewahrt</translation>
    </message>
    <message>
        <source>&amp;Keep as baseline</source>
        <translation>Als &amp;Grundmessung behalten</translation>
    </message>
    <message>
        <source>This run was made with the two ends cabled together: later runs are shown beside it</source>
        <translation>Dieser Messlauf entstand mit zusammengesteckten Enden: spätere Messläufe stehen daneben</translation>
    </message>
    <message>
        <source>%1 put into the store, with %2 new there</source>
        <translation>%1 in den Speicher gelegt, mit %2, die dort neu sind</translation>
    </message>
    <message>
        <source>Putting into the store</source>
        <translation>Wird in den Speicher gelegt</translation>
    </message>
    <message>
        <source>F&amp;ollow</source>
        <translation>Beg&amp;leiten</translation>
    </message>
    <message>
        <source>S&amp;tore…</source>
        <translation>S&amp;peicher…</translation>
    </message>
    <message>
        <source>Shows the runs of a store of SQLite or PostgreSQL, or puts runs into it</source>
        <translation>Zeigt die Messläufe eines Speichers von SQLite oder PostgreSQL, oder legt Messläufe hinein</translation>
    </message>
    <message>
        <source>Watches the run that another program measures: the chosen one, or one in another folder. It can be noted on, and stopped</source>
        <translation>Zeigt die Messung, die ein anderes Programm macht: die gewählte, oder eine in einem anderen Ordner. Vermerke und Anhalten sind möglich</translation>
    </message>
</context>
<context>
    <name>vqas::app::RunModel</name>
    <message>
        <source>Direction</source>
        <translation>Richtung</translation>
    </message>
    <message>
        <source>Stimulus</source>
        <translation>Prüfsatz</translation>
    </message>
    <message>
        <source>Repeatability</source>
        <translation>Wiederholgenauigkeit</translation>
    </message>
    <message>
        <source>Scored</source>
        <translation>Bewertet</translation>
    </message>
    <message>
        <source>Not scored</source>
        <translation>Nicht bewertet</translation>
    </message>
    <message>
        <source>Impairments found</source>
        <translation>Gefundene Störungen</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>Mean %1</source>
        <translation>Mittlerer %1</translation>
    </message>
</context>
<context>
    <name>vqas::app::SettingsPanel</name>
    <message>
        <source>Which line?</source>
        <translation>Welche Leitung?</translation>
    </message>
    <message>
        <source>What do you want to know?</source>
        <translation>Was wollen Sie wissen?</translation>
    </message>
    <message>
        <source>What does it belong to?</source>
        <translation>Wozu gehört es?</translation>
    </message>
    <message>
        <source>Recent setups</source>
        <translation>Letzte Einstellungen</translation>
    </message>
    <message>
        <source>Fills the fields as they were for an earlier run</source>
        <translation>Füllt die Felder wie bei einem früheren Messlauf</translation>
    </message>
    <message>
        <source>More settings</source>
        <translation>Mehr Einstellungen</translation>
    </message>
    <message>
        <source>all</source>
        <translation>alle</translation>
    </message>
    <message>
        <source>~/vqas-results/date-time</source>
        <translation>~/vqas-results/Datum-Zeit</translation>
    </message>
    <message>
        <source>A &amp;to B</source>
        <translation>A na&amp;ch B</translation>
    </message>
    <message>
        <source>B t&amp;o A</source>
        <translation>B nac&amp;h A</translation>
    </message>
    <message>
        <source>Direction A to B</source>
        <translation>Richtung A nach B</translation>
    </message>
    <message>
        <source>Direction B to A</source>
        <translation>Richtung B nach A</translation>
    </message>
    <message>
        <source>Plans (*.toml)</source>
        <translation>Pläne (*.toml)</translation>
    </message>
    <message>
        <source>Open plan…</source>
        <translation>Plan öffnen…</translation>
    </message>
    <message>
        <source>Fill the fields from a plan of vqas measure</source>
        <translation>Die Felder aus einem Plan von vqas measure füllen</translation>
    </message>
    <message>
        <source>Save plan…</source>
        <translation>Plan speichern…</translation>
    </message>
    <message>
        <source>Save the fields as a plan for vqas measure</source>
        <translation>Die Felder als Plan für vqas measure speichern</translation>
    </message>
    <message>
        <source>Stands on the first page of the report; runs can be found by it. May be empty</source>
        <translation>Steht auf der ersten Seite des Berichts; Messläufe lassen sich danach finden. Darf leer sein</translation>
    </message>
    <message>
        <source>Sit&amp;e</source>
        <translation>Stand&amp;ort</translation>
    </message>
    <message>
        <source>&amp;Circuit</source>
        <translation>Leitungs-N&amp;r.</translation>
    </message>
    <message>
        <source>Sti&amp;muli</source>
        <translation>Prüfsät&amp;ze</translation>
    </message>
    <message>
        <source>Directions</source>
        <translation>Richtungen</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>Startwert</translation>
    </message>
    <message>
        <source>The same seed repeats a simulated run, and the order of a real one</source>
        <translation>Derselbe Startwert wiederholt einen simulierten Messlauf und die Reihenfolge eines wirklichen</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>Notizen</translation>
    </message>
    <message>
        <source>Stand in the report. May be empty</source>
        <translation>Stehen im Bericht. Dürfen leer sein</translation>
    </message>
    <message>
        <source>Res&amp;ults folder</source>
        <translation>Ergebnisor&amp;dner</translation>
    </message>
    <message>
        <source>Empty: a new folder, named by date and time, in vqas-results at home</source>
        <translation>Leer: ein neuer Ordner, benannt nach Datum und Zeit, in vqas-results im persönlichen Ordner</translation>
    </message>
    <message>
        <source>Telephone band (MOS-LQON)</source>
        <translation>Telefonband (MOS-LQON)</translation>
    </message>
    <message>
        <source>Wideband, HD voice (MOS-LQOW)</source>
        <translation>Breitband, HD-Sprache (MOS-LQOW)</translation>
    </message>
    <message>
        <source>Wideband, and telephone band beside it</source>
        <translation>Breitband, und daneben Telefonband</translation>
    </message>
    <message>
        <source>Two scales that are never compared; wideband needs a line at 16 kHz at both ends, hd=yes</source>
        <translation>Zwei Skalen, die nie verglichen werden; Breitband braucht an beiden Enden eine Leitung mit 16 kHz, hd=yes</translation>
    </message>
    <message>
        <source>Scores</source>
        <translation>Bewertungen</translation>
    </message>
    <message>
        <source>Sentences to send, like M1, F5; empty: all of the corpus. Choose before the start: none is skipped later, because a mean over other sentences would look like the planned one</source>
        <translation>Zu sendende Sätze, wie M1, F5; leer: alle des Korpus. Wählen Sie vor dem Start: später wird keiner übersprungen, weil ein Mittel über andere Sätze wie das geplante aussähe</translation>
    </message>
    <message>
        <source>once</source>
        <translation>einmal</translation>
    </message>
    <message>
        <source>Repeat every … min</source>
        <translation>Alle … min wiederholen</translation>
    </message>
    <message>
        <source>Minutes from one start to the next; empty: at the times below, or once</source>
        <translation>Minuten von einem Beginn zum nächsten; leer: zu den Zeiten darunter, oder einmal</translation>
    </message>
    <message>
        <source>Repeat at times of day</source>
        <translation>Zu Tageszeiten wiederholen</translation>
    </message>
    <message>
        <source>By this laptop&apos;s clock, for example 9:00, 17:30; empty: every so many minutes, or once</source>
        <translation>Nach der Uhr dieses Laptops, zum Beispiel 9:00, 17:30; leer: alle so viele Minuten, oder einmal</translation>
    </message>
    <message>
        <source>Repeat for … hours</source>
        <translation>… Stunden lang wiederholen</translation>
    </message>
    <message>
        <source>From the first start to the end of the last run; the window stays open meanwhile</source>
        <translation>Vom ersten Beginn bis zum Ende des letzten Messlaufs; das Fenster bleibt solange offen</translation>
    </message>
    <message>
        <source>The time zone of this laptop is not known</source>
        <translation>Die Zeitzone dieses Laptops ist nicht bekannt</translation>
    </message>
    <message>
        <source>Times of day in the zone %1</source>
        <translation>Uhrzeiten in der Zeitzone %1</translation>
    </message>
    <message>
        <source>Times of day in the zone %1; a saved plan keeps its zone %2</source>
        <translation>Uhrzeiten in der Zeitzone %1; ein gesicherter Plan behält seine Zeitzone %2</translation>
    </message>
</context>
<context>
    <name>vqas::app::StartPage</name>
    <message>
        <source>&amp;Follow a run</source>
        <translation>Einer Messung fo&amp;lgen</translation>
    </message>
    <message>
        <source>Another program measures; look on, note, stop</source>
        <translation>Ein anderes Programm misst; zusehen, vermerken, anhalten</translation>
    </message>
    <message>
        <source>&amp;Measure</source>
        <translation>&amp;Messen</translation>
    </message>
    <message>
        <source>Measures the line below for as many minutes of line time as stand beside</source>
        <translation>Misst die Leitung darunter so viele Minuten Leitungszeit, wie daneben stehen</translation>
    </message>
    <message>
        <source> min</source>
        <translation> min</translation>
    </message>
    <message>
        <source>Budget of line time in minutes</source>
        <translation>Budget an Leitungszeit in Minuten</translation>
    </message>
    <message>
        <source>The measurement ends before it uses more of the line than this</source>
        <translation>Die Messung endet, bevor sie mehr von der Leitung braucht</translation>
    </message>
    <message>
        <source>&amp;Budget</source>
        <translation>&amp;Budget</translation>
    </message>
    <message>
        <source>Measure a line with a &amp;partner</source>
        <translation>Eine Leitung mit einer &amp;Gegenstelle messen</translation>
    </message>
    <message>
        <source>Your partner at the other end waits; you measure</source>
        <translation>Die Gegenstelle am anderen Ende wartet; Sie messen</translation>
    </message>
    <message>
        <source>&amp;Wait for a partner</source>
        <translation>Auf eine Gegenstelle &amp;warten</translation>
    </message>
    <message>
        <source>This laptop is one end of the line; your partner measures</source>
        <translation>Dieser Laptop ist ein Ende der Leitung; die Gegenstelle misst</translation>
    </message>
    <message>
        <source>&amp;Check my equipment</source>
        <translation>Meine Geräte &amp;prüfen</translation>
    </message>
    <message>
        <source>Levels, noise, echo, clocks and delay, in less than a minute</source>
        <translation>Pegel, Geräusch, Echo, Takte und Laufzeit, in weniger als einer Minute</translation>
    </message>
    <message>
        <source>&amp;Results</source>
        <translation>&amp;Ergebnisse</translation>
    </message>
    <message>
        <source>Earlier runs: read, listen, compare</source>
        <translation>Frühere Messläufe: lesen, anhören, vergleichen</translation>
    </message>
    <message>
        <source>&amp;Try it on a simulated line</source>
        <translation>An einer simulierten Leitung &amp;ausprobieren</translation>
    </message>
    <message>
        <source>Needs no equipment; starts at once</source>
        <translation>Braucht keine Geräte; beginnt sofort</translation>
    </message>
    <message>
        <source>Resume what was broken off</source>
        <translation>Abgebrochenes fortsetzen</translation>
    </message>
    <message>
        <source>Last setups</source>
        <translation>Letzte Einstellungen</translation>
    </message>
    <message>
        <source>Your last setups, and runs that were broken off, will be listed here.</source>
        <translation>Hier stehen künftig Ihre letzten Einstellungen und abgebrochene Messläufe.</translation>
    </message>
    <message>
        <source>Runs that were broken off</source>
        <translation>Abgebrochene Messläufe</translation>
    </message>
    <message>
        <source>%1: %2 of %3 repeats are over</source>
        <translation>%1: %2 von %3 Wiederholungen sind vorbei</translation>
    </message>
    <message>
        <source>%1: %2 measured</source>
        <translation>%1: %2 gemessen</translation>
    </message>
    <message>
        <source>Place a c&amp;all</source>
        <translation>Anruf au&amp;fbauen</translation>
    </message>
    <message>
        <source>This laptop dials by SIP; VQAS answers at the other end</source>
        <translation>Dieser Laptop wählt über SIP; am anderen Ende antwortet VQAS</translation>
    </message>
</context>
<context>
    <name>vqas::app::StoreDialog</name>
    <message>
        <source>A store holds the runs of many laptops: a file of SQLite, or a database of PostgreSQL. The same store serves &quot;vqas store&quot; and the plans of &quot;vqas measure&quot;.</source>
        <translation>Ein Speicher hält die Messläufe vieler Laptops: eine Datei von SQLite oder eine Datenbank von PostgreSQL. Derselbe Speicher dient „vqas store“ und den Plänen von „vqas measure“.</translation>
    </message>
    <message>
        <source>S&amp;tore</source>
        <translation>S&amp;peicher</translation>
    </message>
    <message>
        <source>File of the store</source>
        <translation>Datei des Speichers</translation>
    </message>
    <message>
        <source>SQLite (*.sqlite *.db)</source>
        <translation>SQLite (*.sqlite *.db)</translation>
    </message>
    <message>
        <source>Store of runs</source>
        <translation>Speicher von Messläufen</translation>
    </message>
    <message>
        <source>a file, or postgresql://USER@HOST/DATABASE</source>
        <translation>eine Datei, oder postgresql://BENUTZER@RECHNER/DATENBANK</translation>
    </message>
    <message>
        <source>&amp;File…</source>
        <translation>&amp;Datei…</translation>
    </message>
    <message>
        <source>&amp;Show the runs of the store</source>
        <translation>Messläufe des Speichers &amp;zeigen</translation>
    </message>
    <message>
        <source>&amp;Put the chosen run in</source>
        <translation>Gewählten Messlauf &amp;hineinlegen</translation>
    </message>
    <message>
        <source>&amp;Put the %1 chosen runs in</source>
        <translation>%1 gewählte Messläufe &amp;hineinlegen</translation>
    </message>
    <message>
        <source>Runs of this &amp;laptop</source>
        <translation>Messläufe dieses &amp;Laptops</translation>
    </message>
</context>
<context>
    <name>vqas::app::TimeView</name>
    <message>
        <source>Plot of MOS in the order of the run</source>
        <translation>Bild des MOS in der Reihenfolge des Messlaufs</translation>
    </message>
    <message>
        <source>%1: %2, mean so far %3. </source>
        <translation>%1: %2, Mittel bisher %3. </translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>unbekannt</translation>
    </message>
</context>
<context>
    <name>vqas::app::WiringPicture</name>
    <message>
        <source>Picture: a cable from the output of the sound device to its own input</source>
        <translation>Bild: ein Kabel vom Ausgang des Tongeräts zu seinem eigenen Eingang</translation>
    </message>
    <message>
        <source>Picture: a cable from the output of each end to the input of the other end</source>
        <translation>Bild: ein Kabel vom Ausgang jedes Endes zum Eingang des anderen</translation>
    </message>
    <message>
        <source>Sound device</source>
        <translation>Tongerät</translation>
    </message>
    <message>
        <source>End A</source>
        <translation>Ende A</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>Ausgang</translation>
    </message>
    <message>
        <source>Input</source>
        <translation>Eingang</translation>
    </message>
    <message>
        <source>cable</source>
        <translation>Kabel</translation>
    </message>
    <message>
        <source>End B</source>
        <translation>Ende B</translation>
    </message>
</context>
</TS>
